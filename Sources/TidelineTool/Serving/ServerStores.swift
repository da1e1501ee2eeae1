// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineModel
import TidelineServer
import TidelineService
import TidelineSQLite
import TidelineStorage

/// Where the server's parts and the kinds of databases meet.
enum ServerStores {
    /// The users of a data folder; the database is made when it is missing, for its owner alone.
    static func accounts(_ data: DataDirectory) throws -> Accounts {
        try data.create()
        try FilePath.makePrivate(data.control)
        do {
            try SQLiteSchema.create(ControlModel.model, path: data.control)
            return Accounts(
                store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked)
            )
        } catch let error as StorageError {
            // Beside the databases of the domains: which of them it is, nothing else says.
            var named = error
            named.message = "\(data.control): \(error.message)"
            throw named
        }
    }

    /// The database of a domain, given the folder of its file.
    static func open(_ domain: Domain, folder: String) throws -> any Store {
        try DatabaseSource(domain.database, folder: folder).open(domain)
    }

    /// The domain of that name in a data folder.
    ///
    /// - Throws: ``CommandFailure`` that names the domains there are.
    static func domain(_ name: String, in data: DataDirectory) throws -> Domain {
        let file = data.file(domain: name)
        guard Domain.isName(name), FilePath.exists(file) else {
            let names = data.publishedDomains()
            throw CommandFailure(
                "There is no domain \(name) in \(data.path).",
                next: names.isEmpty
                    ? "Publish one: tideline publish sqlite:FILE --domain \(name) --data \(ShellWord.quoted(data.path))"
                    : "The domains there: \(names.joined(separator: ", "))."
            )
        }
        do {
            return try Domain(contentsOf: file)
        } catch {
            throw CommandFailure("The domain's file cannot be used.", why: "\(error)", next: "Repair the file.")
        }
    }

    /// Another domain that has a database, too; an earlier release let there be two.
    static func otherDomain(of source: DatabaseSource, than name: String, in data: DataDirectory) -> String? {
        data.publishedDomains().first { other in
            // Of a file that cannot be read the server's log tells.
            guard other != name, let domain = try? Domain(contentsOf: data.file(domain: other)) else { return false }
            return DatabaseSource(domain.database, folder: data.folder(domain: other)).isSame(as: source)
        }
    }

    /// As ``domain(_:in:)``, for what concerns users that the server keeps.
    ///
    /// - Throws: ``CommandFailure`` where the users lie in the domain's own tables.
    static func domainOfUsers(_ name: String, in data: DataDirectory) throws -> Domain {
        let domain = try domain(name, in: data)
        guard let first = domain.signIn.first else { return domain }
        let names = domain.signIn.map(\.name).joined(separator: ", ")
        throw CommandFailure(
            "The users of \(name) lie in the tables of its own database, and not with the server.",
            why: "Its file says so: signIn has \(names), and SQL that finds them there.",
            next: "Add and change them in those tables; \(first.name) sign in with what stands there at once."
        )
    }
}
