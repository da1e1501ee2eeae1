// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The tables of `sixbookmarks`, who may do what with their rows, and how users are found in them.
package enum SixBookmarksSchema {
    /// Names are unique in whatever letter case; an empty hash is that of no password.
    ///
    /// That places are 0 to 5 is a rule of the service, asked at the end of each group, and no CHECK of the table: while
    /// two bookmarks change places, one of them stands elsewhere, and the rule says more than a CHECK could.
    package static let tables = """
        CREATE TABLE ApiAccounts (
            ApiAccountId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            Username VARCHAR(64) NOT NULL UNIQUE,
            PasswordHash VARCHAR(255) NOT NULL DEFAULT '',
            FirstName VARCHAR(128) NOT NULL,
            LastName VARCHAR(128) NOT NULL,
            Company VARCHAR(128) NOT NULL,
            Address1 VARCHAR(128) NOT NULL,
            Address2 VARCHAR(128) NOT NULL,
            Address3 VARCHAR(128) NOT NULL,
            City VARCHAR(128) NOT NULL,
            Region VARCHAR(128) NOT NULL,
            PostalCode VARCHAR(128) NOT NULL,
            Country VARCHAR(128) NOT NULL,
            Email VARCHAR(254) NOT NULL,
            WantsNews BOOLEAN NOT NULL DEFAULT 0
        );
        CREATE TABLE Users (
            UserId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            ApiAccountId INT NOT NULL REFERENCES ApiAccounts (ApiAccountId),
            Username VARCHAR(64) NOT NULL,
            PasswordHash VARCHAR(255) NOT NULL DEFAULT '',
            FirstName VARCHAR(128),
            LastName VARCHAR(128),
            Email VARCHAR(254),
            IsActive BOOLEAN NOT NULL DEFAULT 1,
            UNIQUE (ApiAccountId, Username)
        );
        CREATE TABLE Bookmarks (
            BookmarkId INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            UserId INT NOT NULL REFERENCES Users (UserId) ON DELETE CASCADE,
            Name VARCHAR(128),
            Url VARCHAR(256),
            Ordinal INT NOT NULL,
            UNIQUE (UserId, Ordinal)
        );
        CREATE UNIQUE INDEX ApiAccountsByName ON ApiAccounts (lower(Username));
        CREATE UNIQUE INDEX UsersByName ON Users (ApiAccountId, lower(Username));
        CREATE INDEX BookmarksByUser ON Bookmarks (UserId);

        """

    /// The account whose users sign in with their bare names, and to which whoever registers in an app belongs: the
    /// first one.
    package static let openAccount = "tideline"

    /// Where users and accounts are found, and who may do what.
    ///
    /// A user sees the own bookmarks and the own record, and changes the bookmarks alone: whoever registers is a user of
    /// the open account, and its address and e-mail are nobody else's. An account has its users and their bookmarks. Who registers adds an account, or a user of the open one, which the role may read
    /// because a user refers to it; nobody has that role but the server itself. A name of a user is `account/user`; a
    /// bare one is that of a user of the open account.
    package static let signInAndPolicies = #"""
        signIn:
          - name: users
            roles: [member]
            id: Int32
            attributes: [{name: ApiAccountId, type: Int32}]
            find: >-
              SELECT u.UserId AS Id, a.Username || '/' || u.Username AS Name, u.PasswordHash, u.IsActive, u.ApiAccountId
              FROM Users u JOIN ApiAccounts a ON a.ApiAccountId = u.ApiAccountId
              WHERE lower(a.Username) = CASE instr(:name, '/') WHEN 0 THEN '\#(openAccount)'
              ELSE lower(substr(:name, 1, instr(:name, '/') - 1)) END
              AND lower(u.Username) = lower(substr(:name, instr(:name, '/') + 1))
            byId: >-
              SELECT u.UserId AS Id, a.Username || '/' || u.Username AS Name, u.PasswordHash, u.IsActive, u.ApiAccountId
              FROM Users u JOIN ApiAccounts a ON a.ApiAccountId = u.ApiAccountId WHERE u.UserId = :id
            setHash: "UPDATE Users SET PasswordHash = :hash WHERE UserId = :id"
          - name: accounts
            roles: [account]
            id: Int32
            attributes: [{name: ApiAccountId, type: Int32}]
            find: >-
              SELECT ApiAccountId AS Id, Username AS Name, PasswordHash, 1 AS IsActive, ApiAccountId
              FROM ApiAccounts WHERE lower(Username) = lower(:name)
            byId: >-
              SELECT ApiAccountId AS Id, Username AS Name, PasswordHash, 1 AS IsActive, ApiAccountId
              FROM ApiAccounts WHERE ApiAccountId = :id
            setHash: "UPDATE ApiAccounts SET PasswordHash = :hash WHERE ApiAccountId = :id"
        policies:
          - {role: member, sets: [Bookmarks], operations: [read, insert, update, delete], where: "UserId eq @me"}
          - {role: member, sets: [Users], operations: [read], where: "UserId eq @me"}
          - role: account
            sets: [Users]
            operations: [read, insert, update, delete]
            where: "ApiAccountId eq @me/ApiAccountId"
          - role: account
            sets: [Bookmarks]
            operations: [read, insert, update, delete]
            where: "User/ApiAccountId eq @me/ApiAccountId"
          - {role: account, sets: [ApiAccounts], operations: [read, update], where: "ApiAccountId eq @me/ApiAccountId"}
          - {role: registration, sets: [ApiAccounts], operations: [insert]}
          - {role: registration, sets: [ApiAccounts], operations: [read], where: "ApiAccountId eq 1"}
          - {role: registration, sets: [Users], operations: [insert], where: "ApiAccountId eq 1"}
        """#
}
