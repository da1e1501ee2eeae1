// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The store files of an app, one for each of its users.
///
///     let files = StoreFiles(folder: documents, name: "SixBookmarks")
///     let store = try files.open(user: "ada", model: model)      // …/SixBookmarks-ada.tideline
///
/// Two users never see each other's rows: each has a file, and a file knows whose it is. The folder is for its owner
/// alone; the files can be read with any SQLite tool.
public struct StoreFiles: Hashable, Sendable {
    /// The path of the folder; it is made when it is missing.
    public var folder: String
    /// What the names of the files begin with.
    public var name: String

    public init(folder: String, name: String = "store") {
        self.folder = folder
        self.name = name
    }

    /// The file of a user, or of nobody.
    ///
    /// Characters other than lower-case letters, digits, `-`, `_`, `@` and points stand as `%` and two digits for each
    /// byte, so that two users share no file on any file system.
    /// - Throws: ``LocalStoreError``, `unsupported` when the name is too long for a file.
    public func path(user: String?) throws -> String {
        guard let user else { return "\(folder)/\(name).tideline" }
        let file = "\(name)-\(StoreFiles.escaped(user)).tideline"
        guard !user.isEmpty, file.utf8.count <= 240 else {
            throw LocalStoreError(.unsupported, message: "The name of the user is empty, or too long for a file's.")
        }
        return "\(folder)/\(file)"
    }

    /// Opens the store of a user, as ``LocalStore/open(path:model:seed:migrations:origin:settings:)`` does.
    ///
    /// - Throws: ``LocalStoreError``; `foreignFile` when the file was made for another user.
    public func open(
        user: String?,
        model: EntityModel,
        seed: String? = nil,
        migrations: [StoreMigration] = [],
        origin: StoreOrigin? = nil,
        settings: StoreSettings = StoreSettings()
    ) throws -> LocalStore {
        let path = try path(user: user)
        FileSystem.makeFolder(of: path)
        let store = try LocalStore.open(
            path: path,
            model: model,
            seed: seed,
            migrations: migrations,
            origin: origin,
            settings: settings
        )
        do { try store.claim(for: user) } catch {
            try? store.close()
            throw error
        }
        return store
    }

    /// The users that have files here, sorted.
    public func users() -> [String] {
        FileSystem.names(in: folder).compactMap { file in
            guard file.hasPrefix(name + "-"), file.hasSuffix(".tideline") else { return nil }
            return StoreFiles.unescaped(file.dropFirst(name.count + 1).dropLast(".tideline".count))
        }.sorted()
    }

    /// Ends the use of a user's store: closes it and, on request, removes its file.
    ///
    /// - Parameters:
    ///   - wiping: whether the rows go too; else they are there at the next sign-in.
    ///   - discardingChanges: whether changes that were not sent may go with them.
    /// - Returns: the changes that were given up.
    /// - Throws: ``LocalStoreError``: `pendingChanges` with the list of them; the store stays open then.
    @discardableResult
    public func signOut(_ store: LocalStore, wiping: Bool, discardingChanges: Bool = false) throws -> [Change] {
        if wiping { return try store.wipe(discardingChanges: discardingChanges) }
        try store.close()
        return []
    }

    // MARK: Names

    private static func escaped(_ user: String) -> String {
        var text = ""
        for byte in user.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "."):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension LocalStore {
    /// Notes whose store it is, or refuses to give it to another.
    func claim(for user: String?) throws {
        let owner = try reading { try $0.meta("owner") }
        let mine = user ?? ""
        if let owner, owner != mine {
            throw LocalStoreError(.foreignFile, message: "The file '\(path)' belongs to another user.")
        }
        guard owner == nil else { return }
        try writing { connection in
            try connection.setMeta("owner", mine)
            return ((), [])
        }
    }
}
