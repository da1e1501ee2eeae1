// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
import SixBookmarks
public import Tideline

/// The whole app: which screen is shown, and the models of all of them.
///
/// A user interface shows ``screen`` and calls what its buttons say. No part of it knows what it is drawn with.
@MainActor
@Observable
public final class AppModel {
    /// The screens.
    public enum Screen: Hashable, Sendable {
        case signIn, navigator, configuration, editor, sync
    }

    /// What a request to sign out led to.
    public enum SignOut: Hashable, Sendable {
        /// Nobody is signed in any more.
        case done
        /// So many changes would be lost: ask, then sign out with `discardingChanges`.
        case wouldLose(Int)
        /// It failed, for the reason given.
        case failed(String)
    }

    /// What is shown.
    public private(set) var screen = Screen.signIn
    /// The form of the first screen.
    public let signIn: SignInModel
    /// The six buttons of who is signed in; `nil` for nobody, as the next ones.
    public private(set) var navigator: NavigatorModel?
    /// The list of who is signed in.
    public private(set) var configuration: ConfigurationModel?
    /// The sync of who is signed in.
    public private(set) var sync: SyncModel?
    /// The editor that is open, or `nil`.
    public private(set) var editor: EditorModel?
    /// What could not be opened, or `nil`.
    public private(set) var message: String?

    @ObservationIgnored private let opener: WebOpener
    @ObservationIgnored private let schedule: SyncSchedule?
    @ObservationIgnored private let now: () -> DateTimeOffset
    /// The use by who is signed in.
    @ObservationIgnored public private(set) var session: BookmarkSession?

    /// The app on a device.
    ///
    /// - Parameters:
    ///   - service: the address of the service, until another is typed.
    ///   - schedule: when it syncs by itself; `nil` for never.
    ///   - now: tells the time.
    ///   - opener: gives an address to the system's browser.
    public init(
        _ device: BookmarkDevice,
        service: String,
        schedule: SyncSchedule? = SyncSchedule(),
        now: @escaping () -> DateTimeOffset = { .now },
        opener: @escaping WebOpener
    ) {
        signIn = SignInModel(device, service: service)
        self.schedule = schedule
        self.now = now
        self.opener = opener
    }

    // MARK: Coming and going

    /// Begins: with the six buttons where the last sign-in was remembered, with a connection or without; else with the form.
    public func start() {
        if let session = signIn.start() { enter(session) }
    }

    /// Signs in with what the form holds, and shows the six buttons.
    public func submitSignIn() async {
        guard let session = await signIn.signIn() else { return }
        enter(session)
        // What was here before this sign-in may be old.
        await sync?.syncNow()
    }

    /// Signs out: the service revokes the sign-in, the rows leave the device, the form is shown.
    ///
    /// - Parameter discardingChanges: whether changes that were not sent may be lost.
    public func signOut(discardingChanges: Bool = false) async -> SignOut {
        guard let session else { return .done }
        do {
            let waiting = try session.waitingChanges()
            guard waiting == 0 || discardingChanges else { return .wouldLose(waiting) }
            sync?.cancel()
            sync?.stop()
            let isRevoked = try await session.signOut(discardingChanges: discardingChanges)
            leave()
            signIn.clear(
                isRevoked ? nil : "You are signed out here. The service was not reached; its side ends by itself."
            )
            return .done
        } catch {
            if self.session != nil { sync?.start(nil) }
            return .failed("\(error)")
        }
    }

    /// Ends the program's use of the files; the next start goes on here.
    public func close() async {
        sync?.cancel()
        sync?.stop()
        try? await session?.close()
        leave()
    }

    // MARK: Screens

    /// Shows a screen; nothing happens where nobody is signed in.
    public func show(_ screen: Screen) {
        guard session != nil, screen != .editor, screen != .signIn else { return }
        editor = nil
        self.screen = screen
        message = nil
        // What was said of something done on another screen, or before that, is old here.
        navigator?.clearMessage()
        configuration?.clearMessage()
        sync?.clearMessage()
    }

    /// Opens the editor of a place.
    ///
    /// - Parameter ordinal: 0 to 5.
    public func edit(_ ordinal: Int32) {
        guard let session else { return }
        do {
            editor = try EditorModel(session, ordinal: ordinal)
            screen = .editor
            message = nil
        } catch {
            message = "\(error)"
        }
    }

    /// Opens the editor of a new bookmark, at the lowest free place.
    public func add() {
        if let ordinal = configuration?.add() { edit(ordinal) }
    }

    /// Presses one of the six buttons; an empty one shows the configuration.
    public func press(_ ordinal: Int32) {
        if navigator?.press(ordinal) == .configure { show(.configuration) }
    }

    /// Leaves the editor, saved or not, for the list.
    public func closeEditor(saving: Bool) {
        guard let editor else { return }
        if saving { guard editor.save() else { return } } else { editor.cancel() }
        show(.configuration)
    }

    private func enter(_ session: BookmarkSession) {
        do {
            let sync = try SyncModel(session, now: now) { [weak self] in self?.reject($0) }
            self.session = session
            navigator = NavigatorModel(session, opener: opener)
            configuration = ConfigurationModel(session) { [weak sync] in sync?.clearMessage() }
            self.sync = sync
            show(.navigator)
            sync.start(schedule)
        } catch {
            message = "\(error)"
        }
    }

    private func reject(_ reason: String) {
        guard let session else { return }
        sync?.stop()
        leave()
        signIn.reject(session.account, reason)
        // Unstructured: the engine is told to stop from within what it tells.
        Task { try? await session.close() }
    }

    private func leave() {
        (session, navigator, configuration, sync, editor) = (nil, nil, nil, nil, nil)
        screen = .signIn
    }
}
