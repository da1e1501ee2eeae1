// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineServer

/// The data of `sixbookmarks`: one API account, its users, and the bookmarks of each.
enum SixBookmarksDemo {
    /// A user who signs in; the passwords stand in the README.
    struct DemoUser {
        let name: String
        let password: String
        let id: Int64
    }

    static let users = [
        DemoUser(name: "ada", password: "tide-and-time-1", id: 1001),
        DemoUser(name: "grace", password: "tide-and-time-2", id: 1002),
    ]

    /// The one API account, whose users sign in with their bare names too.
    static let account = DemoUser(name: "tideline", password: "tide-and-time-0", id: 1)

    /// The door for clients of 2010, open for this machine alone; it tells what the service of 2010 told.
    static let compatibility = """

        compatibility:
          sixbookmarks: {set: Bookmarks, owner: UserId, accounts: accounts, users: users, failures: distinct}

        """

    /// The database as SQL.
    ///
    /// - Parameter hash: makes what the columns of password hashes hold.
    static func sql(hash: (String) throws -> String) throws -> String { try SixBookmarksSchema.tables + rows(hash) }

    private static let bookmarks: [(name: String, url: String, ordinal: Int)] = [
        ("Google", "http://www.google.co.uk", 0),
        (".NET 247", "http://www.dotnet247.com/", 1),
        ("Topaz Filer", "http://www.topazfiler.com/", 2),
    ]

    private static func rows(_ hash: (String) throws -> String) throws -> String {
        var sql = "INSERT INTO ApiAccounts VALUES (\(account.id), \(DemoSQL.text(account.name)), "
        sql += "\(DemoSQL.text(try hash(account.password))), 'Tide', 'Line', 'Tideline demo', '1 Harbour Street', "
        sql += "'Pier 2', 'Shed 3', 'Bern', 'Bern', '3000', 'Switzerland', 'demo@example.com', 0);\n"
        let names = [("Ada", "Lovelace"), ("Grace", "Hopper")]
        var key = 1001
        for (user, name) in zip(users, names) {
            sql += "INSERT INTO Users VALUES (\(user.id), \(account.id), \(DemoSQL.text(user.name)), "
            sql += "\(DemoSQL.text(try hash(user.password))), "
            sql += "\(DemoSQL.text(name.0)), \(DemoSQL.text(name.1)), '\(user.name)@example.com', 1);\n"
            for bookmark in bookmarks {
                sql += "INSERT INTO Bookmarks VALUES (\(key), \(user.id), \(DemoSQL.text(bookmark.name)), "
                sql += "\(DemoSQL.text(bookmark.url)), \(bookmark.ordinal));\n"
                key += 1
            }
        }
        return sql
    }
}
