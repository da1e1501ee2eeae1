// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

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

    /// The key of the one API account.
    static let apiAccount: Int64 = 1

    /// Everybody sees the own bookmarks, the own user and the API account that it belongs to, and changes the bookmarks
    /// alone.
    ///
    /// Passwords are no rows: they lie, hashed, among the server's users.
    static let policies = """
        policies:
          - {role: "*", sets: [Bookmarks], operations: [read, insert, update, delete], where: "UserId eq @me"}
          - {role: "*", sets: [Users], operations: [read], where: "UserId eq @me"}
          - {role: "*", sets: [ApiAccounts], operations: [read], where: "ApiAccountId eq @me/ApiAccountId"}
        """

    /// The types that INTEGER does not tell.
    static let types: [String: [String: PrimitiveType]] = [
        "ApiAccounts": ["ApiAccountId": .int32],
        "Users": ["UserId": .int32, "ApiAccountId": .int32],
        "Bookmarks": ["BookmarkId": .int32, "UserId": .int32, "Ordinal": .int32],
    ]

    static var sql: String { tables + rows }

    private static let tables = """
        CREATE TABLE ApiAccounts (
            ApiAccountId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            Username VARCHAR(64) NOT NULL UNIQUE,
            Company VARCHAR(128),
            Email VARCHAR(254)
        );
        CREATE TABLE Users (
            UserId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            ApiAccountId INT NOT NULL REFERENCES ApiAccounts (ApiAccountId),
            Username VARCHAR(64) NOT NULL,
            FirstName VARCHAR(64),
            LastName VARCHAR(64),
            Email VARCHAR(254),
            IsActive BOOLEAN NOT NULL DEFAULT 1,
            UNIQUE (ApiAccountId, Username)
        );
        CREATE TABLE Bookmarks (
            BookmarkId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            UserId INT NOT NULL REFERENCES Users (UserId) ON DELETE CASCADE,
            Name VARCHAR(128),
            Url VARCHAR(256),
            Ordinal INT NOT NULL
        );
        CREATE INDEX UsersByApiAccount ON Users (ApiAccountId);
        CREATE INDEX BookmarksByUser ON Bookmarks (UserId);

        """

    private static let bookmarks: [(name: String, url: String, ordinal: Int)] = [
        ("Google", "http://www.google.co.uk", 0),
        (".NET 247", "http://www.dotnet247.com/", 1),
        ("Topaz Filer", "http://www.topazfiler.com/", 2),
    ]

    private static var rows: String {
        var sql = "INSERT INTO ApiAccounts VALUES (\(apiAccount), 'tideline', 'Tideline demo', 'demo@example.com');\n"
        let names = [("Ada", "Lovelace"), ("Grace", "Hopper")]
        var key = 1001
        for (user, name) in zip(users, names) {
            sql += "INSERT INTO Users VALUES (\(user.id), \(apiAccount), \(DemoSQL.text(user.name)), "
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
