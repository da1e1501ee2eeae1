// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Observation
public import SixBookmarksModels

/// The app on a surface: keys in, frames out, and a new frame whenever a model changes.
///
/// It knows no terminal: a test types keys and reads frames.
@MainActor
public final class TerminalApp {
    /// What comes from outside.
    public enum Event: Sendable {
        case key(Key)
        /// The surface has another size, or lost what it showed.
        case redraw
    }

    private let app: AppModel
    private let surface: any Surface
    private let events: AsyncStream<Event>
    private let input: AsyncStream<Event>.Continuation
    private var view: any ScreenView
    /// What the view is of, so that another one is made when the app goes elsewhere.
    private var shown: AnyObject?
    /// The list, which keeps its selection while a bookmark is edited.
    private var list: (model: ConfigurationModel, view: ConfigurationView)?
    private var question: (text: String, action: Request.Confirmed)?
    private var isHelping = false
    private var isQuitting = false
    private var failure: String?
    private var actions: [Task<Void, Never>] = []

    /// An app that is drawn on a surface.
    public init(_ app: AppModel, on surface: any Surface) {
        self.app = app
        self.surface = surface
        (events, input) = AsyncStream.makeStream(of: Event.self)
        view = SignInView(app.signIn)
        shown = app.signIn
    }

    /// Hands in what comes from outside; from any thread.
    public nonisolated func send(_ event: Event) { input.yield(event) }

    /// Runs until somebody quits; the store is closed then.
    public func run() async {
        app.start()
        draw()
        for await event in events {
            if case .key(let key) = event { handle(key) }
            if isQuitting { break }
            draw()
        }
        input.finish()
        await app.close()
        for action in actions { await action.value }
    }

    // MARK: Drawing

    private func draw() {
        let frame = withObservationTracking {
            self.frame
        } onChange: { [input] in
            input.yield(.redraw)
        }
        surface.show(frame)
    }

    private var frame: Frame {
        follow()
        if isHelping { return HelpText.frame }
        var frame = view.frame
        if let failure { frame.add(text: failure, .bad) }
        if let question {
            frame.add("")
            frame.focus = frame.lines.count
            frame.cursor = nil
            frame.add(text: question.text, .bold)
            frame.keys = ["y yes", "n no"]
        }
        return frame
    }

    /// Makes the view of the screen that the app shows.
    private func follow() {
        let model: AnyObject? =
            switch app.screen {
            case .signIn: app.signIn
            case .navigator: app.navigator
            case .configuration: app.configuration
            case .editor: app.editor
            case .sync: app.sync
            }
        guard model !== shown else { return }
        shown = model
        (question, failure) = (nil, nil)
        switch model {
        case let model as NavigatorModel: view = NavigatorView(app, model)
        case let model as ConfigurationModel:
            let list = list?.model === model ? list?.view : nil
            let made = list ?? ConfigurationView(app, model)
            self.list = (model, made)
            view = made
        case let model as EditorModel: view = EditorView(app, model)
        case let model as SyncModel: view = SyncView(app, model)
        default: view = SignInView(app.signIn)
        }
    }

    // MARK: Keys

    private func handle(_ key: Key) {
        follow()
        failure = nil
        if isHelping {
            isHelping = false
            isQuitting = key == .interrupt
        } else if let question {
            self.question = nil
            switch key {
            case .character("y"), .character("Y"): confirm(question.action)
            case .interrupt: isQuitting = true
            default: break
            }
        } else if let request = view.handle(key) {
            carryOut(request)
        }
    }

    private func carryOut(_ request: Request) {
        switch request {
        case .quit: isQuitting = true
        case .help: isHelping = true
        case .confirm(let text, let action): question = (text, action)
        case .signIn:
            act { [app, view] in
                await app.submitSignIn()
                if app.signIn.isRefused { (view as? SignInView)?.forgetPassword() }
            }
        case .sync: act { [app] in await app.sync?.syncNow() }
        case .signOut: signOut(discardingChanges: false)
        }
    }

    private func confirm(_ action: Request.Confirmed) {
        switch action {
        case .discardAndSignOut: signOut(discardingChanges: true)
        }
    }

    private func signOut(discardingChanges: Bool) {
        act { [weak self] in
            guard let self else { return }
            switch await self.app.signOut(discardingChanges: discardingChanges) {
            case .done: break
            case .failed(let reason): self.failure = reason
            case .wouldLose(let count):
                let changes = count == 1 ? "1 change was" : "\(count) changes were"
                self.question = ("\(changes) not sent and would be lost. Sign out all the same?", .discardAndSignOut)
            }
        }
    }

    /// Does what takes a while; the keys work meanwhile.
    private func act(_ body: @escaping @MainActor () async -> Void) {
        actions.append(
            Task { [input] in
                await body()
                input.yield(.redraw)
            }
        )
    }
}
