// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Users who lie in tables of a domain's own database: the SQL that finds them and sets their passwords.
///
///     signIn:
///       - name: staff
///         roles: [member]
///         id: Int32
///         attributes: [{name: Region, type: String}]
///         find: "SELECT id AS Id, login AS Name, hash AS PasswordHash, active AS IsActive, … WHERE login = :name"
///         byId: "SELECT … WHERE id = :id"
///         setHash: "UPDATE staff SET hash = :hash WHERE id = :id"
public struct SignInDirectory: Hashable, Sendable {
    /// What `@me` has besides `Id`, `Name` and `Roles`: a column of the SQL.
    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var type: PrimitiveType

        public init(_ name: String, _ type: PrimitiveType) {
            self.name = name
            self.type = type
        }
    }

    /// What tells it from other directories of the domain.
    public var name: String
    /// The roles of all of its users.
    public var roles: [String]
    /// The type of `@me`.
    public var idType: PrimitiveType
    public var attributes: [Attribute]
    /// SQL that finds users by `:name`.
    public var find: OperationBody
    /// SQL that finds users by `:id`.
    public var byId: OperationBody
    /// SQL that stores `:hash` as the password of the user `:id`.
    public var setHash: OperationBody

    public init(
        name: String,
        roles: [String],
        idType: PrimitiveType,
        attributes: [Attribute] = [],
        find: OperationBody,
        byId: OperationBody,
        setHash: OperationBody
    ) {
        self.name = name
        self.roles = roles
        self.idType = idType
        self.attributes = attributes
        self.find = find
        self.byId = byId
        self.setHash = setHash
    }

    /// The types that identifiers of users may have.
    static let idTypes: [PrimitiveType] = [.int16, .int32, .int64, .string, .guid]
    /// The types that attributes of users may have.
    static let attributeTypes: [PrimitiveType] = idTypes + [.boolean]

    /// The function of `:name`.
    public var findOperation: EdmOperation { function("find", "name", .string, find) }
    /// The function of `:id`.
    public var byIdOperation: EdmOperation { function("byId", "id", idType, byId) }
    /// The action of `:id` and `:hash`.
    public var setHashOperation: EdmOperation {
        EdmOperation(
            names: Names(wire: operationName("setHash")),
            kind: .action,
            parameters: [Self.parameter("id", idType), Self.parameter("hash", .string)],
            body: setHash
        )
    }

    /// What the functions give rows of.
    var rowType: ComplexType {
        let columns = [
            Property(names: Names(wire: "Id"), type: idType, isNullable: false),
            Property(names: Names(wire: "Name"), type: .string, isNullable: false),
            Property(names: Names(wire: "PasswordHash"), type: .string),
            Property(names: Names(wire: "IsActive"), type: .boolean),
        ]
        return ComplexType(
            names: Names(wire: operationName("Row")),
            properties: columns + attributes.map { Property(names: Names(wire: $0.name), type: $0.type) }
        )
    }

    var operations: [EdmOperation] { [findOperation, byIdOperation, setHashOperation] }

    private func function(_ key: String, _ parameter: String, _ type: PrimitiveType, _ body: OperationBody)
        -> EdmOperation
    {
        EdmOperation(
            names: Names(wire: operationName(key)),
            kind: .function,
            parameters: [Self.parameter(parameter, type)],
            returnType: OperationType(.complex(rowType.names.wire), isCollection: true, isNullable: false),
            body: body
        )
    }

    private static func parameter(_ name: String, _ type: PrimitiveType) -> OperationParameter {
        OperationParameter(names: Names(wire: name), type: OperationType(.primitive(type), isNullable: false))
    }

    /// No name on the wire: one that messages of a store show.
    private func operationName(_ key: String) -> String { "signIn.\(name).\(key)" }
}
