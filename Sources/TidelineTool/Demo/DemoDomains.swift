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
            sql: { FishingDemo.sql },
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
        guard !FilePath.exists(data.file(domain: name)) else { return }
        let database = "\(data.demo)/\(name).sqlite"
        if !FilePath.exists(database) {
            // Under another name until it is whole: a start that is cut short leaves nothing that looks complete.
            let unfinished = database + ".unfinished"
            for suffix in ["", "-wal", "-shm", "-journal"] { FilePath.remove(unfinished + suffix) }
            try SQLiteScript.run(sql(), path: unfinished)
            try FilePath.rename(unfinished, to: database)
        }
        let publication = Publication(
            source: .sqlite(FilePath.absolute(database)),
            name: name,
            data: data,
            isOpen: isOpen,
            viewKeys: [:],
            skipping: skipping,
            policies: policies,
            written: .init(path: "../../demo/\(name).sqlite"),
            adjust: adjust
        )
        _ = try publication.publish()
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
