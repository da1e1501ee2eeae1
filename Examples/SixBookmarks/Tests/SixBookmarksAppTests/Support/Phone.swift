// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import SixBookmarksModels
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

/// A device of a person: its folder, the app on it, and what its browser was given.
@MainActor
final class Phone {
    /// The time of every test.
    nonisolated static let now = DateTimeOffset(seconds: 1_800_000_000)
    nonisolated static let options = SyncOptions(sleep: { _ in await Task.yield() }, random: { 0.5 }, now: { now })

    let folder = "\(ProcessFolder.path)/phone-\(UUID().uuidString)"
    let device: BookmarkDevice
    /// The way of this device alone to the service.
    let line: Line
    private(set) var app: AppModel
    /// What the browser was given.
    private(set) var opened: [String] = []
    private let schedule: SyncSchedule?

    init(_ cloud: Cloud, schedule: SyncSchedule? = nil, options: SyncOptions = Phone.options) {
        line = Line(cloud)
        device = BookmarkDevice(folder: folder, transport: line, options: options)
        self.schedule = schedule
        app = AppModel(device, service: Cloud.address) { _ in }
        makeApp()
    }

    /// The app, started again.
    func restart() async {
        await app.close()
        makeApp()
        app.start()
    }

    private func makeApp() {
        app = AppModel(device, service: Cloud.address, schedule: schedule, now: { Self.now }) { [weak self] address in
            self?.opened.append(address)
        }
    }

    /// Signs in, and waits until the screens show what is there.
    func signIn(_ user: String = "ada", _ password: String = "tide-and-time-1") async throws {
        app.signIn.user = user
        app.signIn.password = password
        await app.submitSignIn()
        #expect(app.signIn.message == nil)
        try await settle()
    }

    /// Waits until the live lists show what the store has.
    func settle() async throws {
        let book = try session.book
        // Read anew each time: the app may put places right while somebody looks.
        let stored = { (try? book.bookmarks()).map(Set.init) }
        for shown in [{ self.app.configuration?.rows ?? [] }, { self.app.navigator?.shown ?? [] }] {
            await Viewer.wait {
                Set(shown()) == stored()
            } else: {
                "Shown: \(shown()). Stored: \(stored() ?? [])."
            }
        }
    }

    /// Syncs, as somebody who presses the button.
    func syncNow() async throws {
        let sync = try sync
        #expect(await sync.syncNow(), "\(sync.message ?? "")")
        try await settle()
    }

    /// The bookmark at a place, 0 to 5.
    func bookmark(_ ordinal: Int32) throws -> Bookmark {
        try #require(try configuration.rows.first { $0.ordinal == ordinal })
    }

    /// Types into the editor of a place and saves.
    func edit(_ ordinal: Int32, name: String? = nil, url: String? = nil) async throws {
        app.edit(ordinal)
        let editor = try #require(app.editor)
        if let name { editor.name = name }
        if let url { editor.url = url }
        app.closeEditor(saving: true)
        #expect(editor.isDone, "\(editor.failures)")
        try await settle()
    }

    var session: BookmarkSession {
        get throws { try #require(app.session) }
    }

    var configuration: ConfigurationModel {
        get throws { try #require(app.configuration) }
    }

    var sync: SyncModel {
        get throws { try #require(app.sync) }
    }

    /// What stands on the six buttons.
    var titles: [String] { app.navigator?.slots.map(\.title) ?? [] }

    /// The files of the app, by their paths from its folder, sorted.
    var files: [String] { FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? [] }
}

extension NavigatorModel {
    var shown: [Bookmark] { bookmarks.sections.flatMap { $0.keys.compactMap { bookmarks[$0] } } }
}
