// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineModel
import TidelineServer
import TidelineService
import TidelineSQLite

/// The three domains of `tideline serve --demo`: made once by code, then left as their users make them.
struct DemoDomains {
    let data: DataDirectory
    let accounts: Accounts

    /// Makes what is missing of databases, domains and users.
    ///
    /// - Throws: ``CommandFailure`` when a half of a domain is gone that cannot be made without a loss.
    func makeMissing() throws {
        try data.create()
        try DataDirectory.makeFolder(data.demo)
        try make("pctrade", sql: { PCTradeDemo.sql }, isOpen: true) {
            $0.set(PCTradeDemo.types)
            PCTradeOperations.add(to: &$0)
        }
        try make(
            "sixbookmarks",
            sql: { try SixBookmarksDemo.sql(hash: accounts.hashText) },
            isOpen: false,
            policies: SixBookmarksSchema.signInAndPolicies + SixBookmarksDemo.compatibility,
            skipping: SixBookmarksSchema.hidden,
            adjust: SixBookmarksSchema.complete
        )
        try make(
            "fishing",
            sql: { try FishingDemo.sql(pictures: makePictures()) },
            isOpen: false,
            policies: FishingSchema.policies,
            adjust: FishingSchema.complete
        )
        for user in FishingDemo.users where try accounts.user(user.name, domain: "fishing") == nil {
            try accounts.addUser(
                user.name,
                password: user.password,
                domain: "fishing",
                id: .integer(user.id),
                roles: ["member"]
            )
        }
    }

    private func make(
        _ name: String,
        sql: () throws -> String,
        isOpen: Bool,
        policies: String? = nil,
        skipping: Set<String> = [],
        adjust: @escaping @Sendable (inout EntityModel) -> Void
    ) throws {
        let database = "\(data.demo)/\(name).sqlite"
        guard !FilePath.exists(data.file(domain: name)) else {
            return try requireDatabase(of: name)
        }
        let isThere = FilePath.exists(database)
        if isThere {
            try requireFree(database, for: name)
        } else {
            try makeDatabase(database, sql: sql())
        }
        // With changes captured in it, the database is that of a domain whose file is lost. Nothing of it is lost with
        // a new file: its rows, its log and what is known of its devices stay.
        var hasLostFile = false
        var publication = Publication(
            source: .sqlite(FilePath.absolute(database)),
            name: name,
            data: data,
            isOpen: isOpen,
            choices: PublishingChoices(skipped: skipping),
            policies: policies,
            written: .init(path: "../../demo/\(name).sqlite"),
            adjust: adjust
        )
        do {
            hasLostFile = try isThere && SQLitePublisher.isPublished(path: database)
            publication.continuesDomain = hasLostFile
            _ = try publication.publish()
        } catch {
            throw CommandFailure.wrap("The demo's domain \(name) cannot be made from \(database).", error)
        }
        guard hasLostFile else { return }
        StandardStream.error.write(
            "\(data.file(domain: name)) was missing and was made anew, as the demo has it; the data is what it was.\n"
        )
    }

    /// Makes the files of the catches' pictures, each named by its content: a second time changes nothing.
    private func makePictures() throws -> [String] {
        let folder = data.folder(domain: "fishing")
        try DataDirectory.makeFolder(folder)
        let files = MediaFiles(folder: folder + "/files")
        return try FishingDemo.pictures.map { item in
            let bytes = item.picture.png
            let upload = try files.begin(limit: bytes.count)
            _ = try upload.append(bytes)
            return try files.adopt(upload)
        }
    }

    private func makeDatabase(_ database: String, sql: String) throws {
        // Under another name until it is whole: a start that is cut short leaves nothing that looks complete.
        let unfinished = database + ".unfinished"
        let companions = ["-wal", "-shm", "-journal"]
        for suffix in [""] + companions { FilePath.remove(unfinished + suffix) }
        try SQLiteScript.run(sql, path: unfinished)
        // What a deleted database left beside it: SQLite would play it into the new one.
        for suffix in companions { FilePath.remove(database + suffix) }
        try FilePath.rename(unfinished, to: database)
    }

    /// - Throws: ``CommandFailure`` when a domain's file names a SQLite database that is gone. A new one in its place
    ///   would be another to all devices, and would stand in the way of a backup.
    private func requireDatabase(of name: String) throws {
        // A file that cannot be read makes its own domain unavailable; the server's log says why.
        guard let domain = try? Domain(contentsOf: data.file(domain: name)),
            case .sqlite(let path) = DatabaseSource(domain.database, folder: data.folder(domain: name)),
            !FilePath.exists(path)
        else { return }
        throw CommandFailure(
            "The database of the demo's domain \(name) is missing: \(path).",
            next: "Put the file back and start again, or let the demo make this domain anew first, with the data of "
                + "the first day: tideline unpublish \(name) --data \(ShellWord.quoted(data.path)) --forget"
        )
    }

    /// - Throws: ``CommandFailure`` when another domain of the folder holds the database.
    private func requireFree(_ database: String, for name: String) throws {
        guard let other = ServerStores.otherDomain(of: .sqlite(database), than: name, in: data) else { return }
        throw CommandFailure(
            "The demo's domain \(name) is missing, and its database \(database) is that of the domain "
                + "\(other) now.",
            next: "Serve without --demo, or take that domain away first: "
                + "tideline unpublish \(other) --data \(ShellWord.quoted(data.path))"
        )
    }
}

extension EntityModel {
    /// Gives properties the types that SQLite's own names for them do not tell.
    ///
    /// - Parameter types: by the wire names of set and property.
    fileprivate mutating func set(_ types: [String: [String: PrimitiveType]]) {
        let changed = sets.map { set in
            var set = set
            for (place, property) in set.type.properties.enumerated() {
                guard let type = types[set.names.wire]?[property.names.wire] else { continue }
                set.type.properties[place].type = type
            }
            return set
        }
        self = EntityModel(namespace: namespace, container: container, sets: changed)
    }
}
