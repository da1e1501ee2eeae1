// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import Tideline

/// `sixbookmarks FILE COMMAND`: the whole of an app in one file of a person's own.
public struct FileProgram: Sendable {
    private static let commands: Set<String> = ["start", "list", "add", "edit", "move", "delete", "sync"]

    private let file: String
    private let command: String
    private let words: [String]
    private let password: @Sendable () -> String?

    /// `nil` for a command line of another form.
    public init?(_ arguments: [String], password: @escaping @Sendable () -> String?) {
        guard arguments.count >= 2, Self.commands.contains(arguments[1]), !arguments[0].hasPrefix("-"),
            !CommandLineRequest.names.contains(arguments[0])
        else { return nil }
        (file, command, words) = (arguments[0], arguments[1], Array(arguments.dropFirst(2)))
        self.password = password
    }

    /// Does what was asked.
    ///
    /// - Returns: what goes to standard output.
    public func run() async throws -> [String] {
        switch (command, words.count) {
        case ("start", 2):
            let user = words[1]
            let book = try await BookmarkBook.start(words[0], at: file) { [password] in
                password().map { Credentials(user: user, password: $0) }
            }
            return try list(book)
        case ("list", 0): return try list(BookmarkBook(path: file))
        case ("add", 2...3):
            let place = try words.count == 3 ? place(words[2]) : nil
            try BookmarkBook(path: file).add(name: words[0], url: words[1], at: place)
        case ("edit", 3): try BookmarkBook(path: file).edit(place(words[0]), name: words[1], url: words[2])
        case ("move", 2): try BookmarkBook(path: file).move(place(words[0]), to: place(words[1]))
        case ("delete", 1): try BookmarkBook(path: file).delete(place(words[0]))
        case ("sync", 0):
            let report = try await BookmarkBook(path: file).sync()
            return ["In step. Sent \(report.sent), received \(report.received), conflicts \(report.conflicts)."]
        default: throw CommandError.form("FILE \(command) …; sixbookmarks --help shows all.")
        }
        return []
    }

    private func list(_ book: BookmarkBook) throws -> [String] {
        let taken = Dictionary(grouping: try book.bookmarks(), by: \.ordinal)
        return (1...BookmarkBook.places).flatMap { place in
            let here = taken[Int32(place - 1)] ?? []
            return here.isEmpty
                ? ["\(place)  –"]
                : here.map { "\(place)  \(TerminalText.safe($0.name ?? ""))  \(TerminalText.safe($0.url ?? ""))" }
        }
    }

    private func place(_ text: String) throws -> Int {
        guard let place = Int(text) else { throw BookmarkError.noSuchPlace(0) }
        return place
    }
}
