// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import Tideline

/// `sixbookmarks FILE COMMAND …`: the whole program.
@main
struct SixBookmarksTool {
    private static let help = """
        Six bookmarks, at hand with or without a connection.

          sixbookmarks FILE start SERVICE USER     make FILE from the service; the password comes on standard input
          sixbookmarks FILE list                   the bookmarks by their places
          sixbookmarks FILE add NAME URL [PLACE]   add one, at a place from 1 to 6 or at the first that is empty
          sixbookmarks FILE edit PLACE NAME URL    change one
          sixbookmarks FILE move PLACE PLACE       move one; what is there comes to its place
          sixbookmarks FILE delete PLACE           delete one
          sixbookmarks FILE sync                   send what changed here, receive what changed elsewhere
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("sixbookmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else {
            print(help)
            return
        }
        let file = arguments[0]
        let rest = Array(arguments.dropFirst(2))
        switch (arguments[1], rest.count) {
        case ("start", 2):
            let book = try await BookmarkBook.start(rest[0], at: file) { credentials(user: rest[1]) }
            try list(book)
        case ("list", 0): try list(BookmarkBook(path: file))
        case ("add", 2...3):
            try BookmarkBook(path: file).add(name: rest[0], url: rest[1], at: rest.count == 3 ? place(rest[2]) : nil)
        case ("edit", 3): try BookmarkBook(path: file).edit(place(rest[0]), name: rest[1], url: rest[2])
        case ("move", 2): try BookmarkBook(path: file).move(place(rest[0]), to: place(rest[1]))
        case ("delete", 1): try BookmarkBook(path: file).delete(place(rest[0]))
        case ("sync", 0):
            let report = try await BookmarkBook(path: file).sync()
            print("In step. Sent \(report.sent), received \(report.received), conflicts \(report.conflicts).")
        default:
            print(help)
            exit(2)
        }
    }

    private static func list(_ book: BookmarkBook) throws {
        let taken = Dictionary(grouping: try book.bookmarks(), by: \.ordinal)
        for place in 1...BookmarkBook.places {
            let here = taken[Int32(place - 1)] ?? []
            if here.isEmpty { print("\(place)  –") }
            for bookmark in here { print("\(place)  \(bookmark.name ?? "")  \(bookmark.url ?? "")") }
        }
    }

    private static func place(_ text: String) throws -> Int {
        guard let place = Int(text) else { throw BookmarkError.noSuchPlace(0) }
        return place
    }

    private static func credentials(user: String) -> Credentials? {
        readLine().map { Credentials(user: user, password: $0) }
    }
}
