// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What an operation does.
public enum OperationBody: Hashable, Sendable {
    /// Parameterised SQL, for each database that has some.
    ///
    /// Parameters are `:Name`, the values of the call by the parameters' names on the wire. A call on an entity has the
    /// values of its key by their names, a call on a collection has `:keys`, a JSON array of the keys; `:me` is the user.
    /// A function is one query; an action may be several statements, the last of which may give the result.
    case sql(sqlite: String?, postgres: String?)
    /// A function or procedure of the database, by its name there, a schema before it where it has one.
    ///
    /// Its parameters have the operation's ``OperationParameter/names`` in the database.
    case routine(String, isProcedure: Bool)
    /// Code of the program that the service is a part of.
    case handler
}
