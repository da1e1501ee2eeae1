// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
public import SixBookmarksModels
import Tideline

/// The commands for scripts and pipes: words in, lines out; the same models as the screens.
@MainActor
public struct LineProgram {
    private let device: BookmarkDevice
    private let request: CommandLineRequest
    private let service: String
    private let password: @MainActor () -> String?
    private let opener: WebOpener
    private let note: @MainActor (String) -> Void

    /// - Parameters:
    ///   - service: the address of the service where none is said.
    ///   - password: reads a password, without showing it.
    ///   - opener: gives an address to the system's browser.
    ///   - note: shows somebody who waits, beside the output, what is waited for.
    public init(
        _ device: BookmarkDevice,
        _ request: CommandLineRequest,
        service: String,
        password: @escaping @MainActor () -> String?,
        opener: @escaping WebOpener,
        note: @escaping @MainActor (String) -> Void = { _ in }
    ) {
        self.device = device
        self.request = request
        self.service = request.service ?? service
        self.password = password
        self.opener = opener
        self.note = note
    }

    /// Does what was asked.
    ///
    /// - Returns: what goes to standard output.
    public func run() async throws -> [String] {
        let command = request.words.first ?? "list"
        let words = Array(request.words.dropFirst())
        guard CommandLineRequest.names.contains(command) else { throw CommandError.unknown(command) }
        if command == "sign-in" || command == "register" {
            return try await signIn(words, isNew: command == "register")
        }
        guard let account = try device.accounts.remembered() else { throw CommandError.nobody }
        let session = try device.open(account)
        do {
            let lines = try await run(command, words, session)
            if command != "sign-out" { try await session.close() }
            return lines
        } catch {
            try? await session.close()
            throw error
        }
    }

    private func run(_ command: String, _ words: [String], _ session: BookmarkSession) async throws -> [String] {
        let book = session.book
        switch (command, words.count) {
        case ("list", 0): return try list(book)
        case ("open", 1): return try open(book, place(words[0]))
        case ("about", 0): return try about(session)
        case ("add", 2...3):
            let place = try words.count == 3 ? place(words[2]) : nil
            let bookmark = try book.add(name: words[0], url: words[1], at: place)
            return ["Place \(bookmark.ordinal + 1): \(TerminalText.safe(bookmark.name ?? ""))." + unsent]
        case ("edit", 1):
            guard request.name != nil || request.url != nil else { throw form(command) }
            let isChanged = try book.edit(place(words[0]), name: request.name, url: request.url)
            return ["Place \(words[0]) " + (isChanged ? "is changed." + unsent : "is as it was." + unchanged)]
        case ("delete", 1):
            try book.delete(place(words[0]))
            return ["Place \(words[0]) is empty now." + unsent]
        case ("move", 2):
            let isMoved = try book.move(place(words[0]), to: place(words[1]))
            guard isMoved else { return ["It is at place \(words[1])." + unchanged] }
            return ["Moved from place \(words[0]) to \(words[1])." + unsent]
        case ("sync", 0): return try await sync(session)
        case ("status", 0): return try StatusLines(session).lines(isJSON: request.isJSON)
        case ("conflicts", 0): return try StatusLines(session).conflicts(isJSON: request.isJSON)
        case ("restore", 1):
            guard let number = Int64(words[0]) else { throw form(command) }
            try book.store.restore(conflict: number)
            return ["What lost is back." + unsent]
        case ("sign-out", 0): return try await signOut(session)
        default: throw form(command)
        }
    }

    private let unsent = " It waits to be sent: sixbookmarks sync."
    private let unchanged = " Nothing was changed."

    private func signIn(_ words: [String], isNew: Bool) async throws -> [String] {
        guard (1...2).contains(words.count), let user = words.last else { throw form(isNew ? "register" : "sign-in") }
        guard let password = password(), !password.isEmpty else {
            throw CommandError("The password is missing. Give it on standard input, as one line.", status: 2)
        }
        let address = words.count == 2 ? words[0] : service
        let credentials = Credentials(user: user, password: password)
        let session = try await device.signIn(credentials, at: address, isRemembered: true, isNew: isNew)
        let result = try await session.sync()
        let lines = try list(session.book)
        try await session.close()
        return request.isJSON
            ? lines : ["\(TerminalText.safe(session.account.user)) is signed in. \(result.text)"] + lines
    }

    private func signOut(_ session: BookmarkSession) async throws -> [String] {
        let waiting = try session.waitingChanges()
        guard waiting == 0 || request.isDiscarding else {
            let changes = waiting == 1 ? "1 change was" : "\(waiting) changes were"
            throw CommandError(
                "\(changes) not sent and would be lost. Send first: sixbookmarks sync. "
                    + "Or let go: sixbookmarks sign-out --discard."
            )
        }
        return try await session.signOut(discardingChanges: true)
            ? ["Signed out. Nothing of yours is left on this device."]
            : ["Signed out here. The service was not reached; its side of the sign-in ends by itself."]
    }

    private func sync(_ session: BookmarkSession) async throws -> [String] {
        let steps = session.engine.progress
        let watch = Task { [note] in
            var known: SyncFailure?
            for await step in steps where step.failure != known {
                known = step.failure
                if let known { note(Self.waiting(known)) }
            }
        }
        defer { watch.cancel() }
        do {
            let result = try await session.sync()
            return request.isJSON ? [try SyncJSON(result).text] : [result.text].map(TerminalText.safeLines)
        } catch let error as ClientError where error.code == .signInRequired {
            throw CommandError(
                "The service takes your sign-in no more. Your bookmarks and what waits are still here. "
                    + "Sign in again: sixbookmarks sign-in \(session.account.user)."
            )
        }
    }

    /// What somebody is told who waits for a service: once for each reason, not for each attempt.
    private static func waiting(_ failure: SyncFailure) -> String {
        let state = failure.kind == .offline ? "Offline: " : ""
        return "\(state)\(TerminalText.safe(failure.message)) The service is asked again for some twenty seconds."
    }

    private func list(_ book: BookmarkBook) throws -> [String] {
        let bookmarks = try book.bookmarks()
        if request.isJSON { return [try BookmarkJSON.text(bookmarks)] }
        let width = bookmarks.map { TerminalText.width(TerminalText.safe($0.name ?? "")) }.max() ?? 0
        var lines = (1...BookmarkBook.places).flatMap { place in
            let here = bookmarks.filter { $0.ordinal == Int32(place - 1) }
            return here.isEmpty ? ["\(place)  …"] : here.map { line("\(place)", $0, width) }
        }
        lines += bookmarks.filter { !(0..<Int32(BookmarkBook.places)).contains($0.ordinal) }.map {
            line("?", $0, width)
        }
        return lines
    }

    private func line(_ place: String, _ bookmark: Bookmark, _ width: Int) -> String {
        let name = TerminalText.padded(TerminalText.safe(bookmark.name ?? ""), to: width)
        return "\(place)  \(name)  \(TerminalText.safe(bookmark.url ?? ""))"
    }

    private func open(_ book: BookmarkBook, _ place: Int) throws -> [String] {
        guard (1...BookmarkBook.places).contains(place) else { throw BookmarkError.noSuchPlace(place) }
        guard let bookmark = try book.bookmarks().first(where: { $0.ordinal == Int32(place - 1) }) else {
            throw CommandError("Place \(place) is empty. Add one: sixbookmarks add NAME URL \(place).")
        }
        let address = try BookmarkAddress.checked(bookmark.url ?? "")
        try opener(address)
        return [address]
    }

    private func about(_ session: BookmarkSession) throws -> [String] {
        let address = try ServiceAddress(session.account.service).origin + "/"
        try opener(address)
        return [address]
    }

    private func place(_ text: String) throws -> Int {
        guard let place = Int(text) else {
            throw CommandError("\"\(text)\" is no place. Places are 1 to 6.", status: 2)
        }
        return place
    }

    private func form(_ command: String) -> CommandError {
        let forms = [
            "sign-in": "sign-in [SERVICE] USER", "register": "register [SERVICE] USER", "open": "open PLACE",
            "add": "add NAME URL [PLACE]",
            "edit": "edit PLACE [--name N] [--url U]", "delete": "delete PLACE", "move": "move PLACE PLACE",
            "restore": "restore NUMBER",
        ]
        return .form(forms[command] ?? command)
    }
}

extension TerminalText {
    /// Without commands for a terminal, with its line breaks.
    static func safeLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }
}
