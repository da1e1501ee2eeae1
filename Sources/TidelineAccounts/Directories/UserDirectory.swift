// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Users who lie in tables of a domain's own database: where its statements find them, and what they may do.
///
/// Each statement is an operation that the store has prepared; what it gives is read anew each time.
public struct UserDirectory: Sendable {
    /// The most bytes of UTF-8 that are looked for as a name: the tables have whatever names the domain gives.
    public static let mostNameBytes = 1024

    /// The name of the domain.
    public let domain: String
    /// What tells it from other directories of the domain.
    public let name: String
    /// The roles of all of its users.
    public let roles: [String]
    let attributes: [String]
    let store: any Store
    let find: EdmOperation
    let byId: EdmOperation
    let setHash: EdmOperation

    /// - Parameters:
    ///   - attributes: the names of the columns after the first four.
    ///   - find: a function of a name that gives rows of `Id`, `Name`, `PasswordHash`, `IsActive` and the attributes.
    ///   - byId: the same of an identifier.
    ///   - setHash: an action of an identifier and a hash.
    public init(
        domain: String,
        name: String,
        roles: [String],
        attributes: [String],
        store: any Store,
        find: EdmOperation,
        byId: EdmOperation,
        setHash: EdmOperation
    ) {
        self.domain = domain
        self.name = name
        self.roles = roles
        self.attributes = attributes
        self.store = store
        self.find = find
        self.byId = byId
        self.setHash = setHash
    }

    /// The user of that name who may sign in, or may not; `nil` where there is none.
    ///
    /// - Throws: ``AccountsError`` with `ambiguousName` where the statement finds two.
    public func user(named name: String) throws -> User? { try entry(named: name)?.user }

    /// The user of that identifier.
    public func user(id: Value) throws -> User? { try entry(id: id)?.user }

    func entry(named name: String) throws -> DirectoryEntry? {
        try store.read { try entry(find, .string(name), $0) }
    }

    func entry(id: Value) throws -> DirectoryEntry? {
        try store.read { try entry(byId, id, $0) }
    }

    /// Stores a password.
    ///
    /// - Parameter old: the hash that must still stand there, or `nil` for whatever does.
    /// - Returns: false where there is no such user, or the hash is another one.
    func store(_ hash: PasswordHash, id: Value, inPlaceOf old: PasswordHash? = nil) throws -> Bool {
        try store.write { writer in
            guard let entry = try entry(byId, id, writer), old == nil || entry.hash == old else { return false }
            return try writer.perform(OperationCall(setHash, arguments: [id, .string(hash.text)])).rowsAffected > 0
        }
    }

    /// Stores the first password of a user in a transaction.
    ///
    /// - Returns: false where there is no such user, or one that has a password.
    func store(_ hash: PasswordHash, ofNewUser name: String, _ writer: any StoreWriter) throws -> Bool {
        guard let entry = try entry(find, .string(name), writer), entry.hash == nil else { return false }
        let call = OperationCall(setHash, arguments: [entry.user.id, .string(hash.text)])
        return try writer.perform(call).rowsAffected > 0
    }

    private func entry(
        _ operation: EdmOperation,
        _ argument: Value,
        _ reader: any StoreReader
    ) throws -> DirectoryEntry? {
        let rows = try reader.call(OperationCall(operation, arguments: [argument], rowLimit: 2)).rows
        guard rows.count < 2 else {
            throw AccountsError(.ambiguousName, "Two users of \(name) in \(domain) have this name or identifier.")
        }
        return rows.first.map { DirectoryEntry($0, of: self) }
    }
}
