// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

/// Publishes a database in place, and takes that back without a trace.
public enum SQLitePublisher {
    /// Scans a database and adds change capture to it, all in one transaction.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - namespace: the namespace of the model.
    ///   - viewKeys: the columns that are the key of a view, by the view's name in the database.
    ///   - scopes: makes, from the model, the wire names of the properties whose changes narrow deltas, by the wire
    ///     name of their set.
    ///   - isLeftover: asked when the database is published already: whether no domain is left of it, as after a
    ///     process that ended before it renamed its domain file. Its capture is then begun anew.
    ///   - beforeCommit: gets the result inside the transaction. The caller writes a temporary copy of its file here
    ///     and renames it into place when `publish` has returned; when it throws, nothing has changed.
    /// - Throws: ``StorageError``; `unsupported` with one sentence for each refused table when `allowsRefusals` is
    ///   false; what `beforeCommit` throws.
    @discardableResult
    public static func publish(
        path: String,
        namespace: String,
        viewKeys: [String: [String]] = [:],
        allowsRefusals: Bool = false,
        scopes: (EntityModel) -> [String: [String]] = { _ in [:] },
        isLeftover: () -> Bool = { false },
        beforeCommit: (SQLiteIntrospection) throws -> Void
    ) throws -> SQLiteIntrospection {
        throw StorageError(.unsupported, message: "Not here yet.")
    }

    /// Removes all that publishing added; the schema is then what it was.
    ///
    /// - Parameter beforeCommit: what must succeed together with it, run inside the transaction.
    public static func unpublish(path: String, beforeCommit: () throws -> Void = {}) throws {
        throw StorageError(.unsupported, message: "Not here yet.")
    }

    /// Whether a database carries change capture of ours.
    public static func isPublished(path: String) throws -> Bool { false }

    /// The columns of scope properties by their table, from wire names.
    static func scopeColumns(_ scopes: [String: [String]], model: EntityModel) throws -> [String: [String]] {
        var columns: [String: [String]] = [:]
        for (wire, properties) in scopes {
            guard let set = model[set: wire] else {
                throw StorageError(.unsupported, set: wire, message: "The model has no entity set '\(wire)'.")
            }
            columns[set.names.database] = try properties.map { name in
                guard let place = set.type.propertyIndex(wire: name) else {
                    throw StorageError(
                        .unsupported, set: wire, properties: [name], message: "'\(wire)' has no property '\(name)'.")
                }
                return set.type.properties[place].names.database
            }
        }
        return columns
    }
}
