// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Code of the program as the body of a function or an action of its domain.
///
///     OperationHandler(function: "Discount") { arguments, reader in
///         let price = try arguments.decimal("price") ?? 0
///         return .value(.decimal(price))
///     }
///
/// The operation itself stands in the domain's model with the body ``TidelineModel/OperationBody/handler``: in
/// `domain.yaml` with `handler: true`, or appended to the model by the program. All overloads of a name have one handler,
/// which sees by ``HandlerArguments/operation`` which of them was called.
///
/// The code runs in the transaction of the request, on a thread of the service, and must not wait for anything. It may be
/// run again when the transaction is. Who may call it is for the policies; what it reads and changes is its own affair.
/// An error that it throws undoes what it changed: a ``TidelineStorage/StorageError`` with the code `constraint` is a
/// refusal, and an `ODataError` goes to the client as it is.
public struct OperationHandler: Sendable {
    enum Body: Sendable {
        case function(@Sendable (HandlerArguments, any StoreReader) throws -> OperationResult)
        case action(@Sendable (HandlerArguments, any StoreWriter) throws -> OperationResult)
    }

    /// The wire name of the operation.
    public let name: String
    let body: Body

    /// The body of a function, which only reads.
    public init(
        function name: String,
        _ body: @escaping @Sendable (HandlerArguments, any StoreReader) throws -> OperationResult
    ) {
        self.name = name
        self.body = .function(body)
    }

    /// The body of an action.
    public init(
        action name: String,
        _ body: @escaping @Sendable (HandlerArguments, any StoreWriter) throws -> OperationResult
    ) {
        self.name = name
        self.body = .action(body)
    }
}

extension OperationResult {
    /// No value: of an action that returns nothing, and null of any other operation.
    public static let nothing = OperationResult()

    /// One value of a primitive type or an enumeration.
    public static func value(_ value: Value) -> OperationResult { OperationResult(rows: [[value]]) }

    /// Several values of a primitive type or an enumeration.
    public static func values(_ values: [Value]) -> OperationResult { OperationResult(rows: values.map { [$0] }) }

    /// Entities, by their keys: they are read behind the caller's policies.
    public static func entities(_ keys: [Key]) -> OperationResult { OperationResult(rows: keys.map(\.values)) }
}
