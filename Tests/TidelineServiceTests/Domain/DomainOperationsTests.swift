// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineService

/// The operations of a domain's file.
struct DomainOperationsTests {
    static let text = """
        # A domain of Tideline. Edit it by hand as you like: the server reads it again when it changes.
        format: 1
        name: shop
        database:
          kind: sqlite
          path: /data/shop.sqlite
        open: false
        namespace: Shop
        enumerations:
          - name: Mood
            members:
              - {name: Calm, value: 0}
              - {name: Wild, value: 1}
        sets:
          - name: Products
            type: Product
            table: products
            key: [Id]
            properties:
              - {name: Id, column: id, type: Int32, nullable: false}
              - {name: Name, column: name, type: String}
        singletons:
          - {name: Star, set: Products, key: [1]}
        operations:
          - name: Report
            kind: action
            description: "How a group does"
            parameters:
              - {name: groupId, type: Int32, nullable: false, default: 0}
            rowsAffected: true
            out:
              - {name: name, type: String, maxLength: 255}
              - {name: count, type: Int32}
            sql:
              sqlite: |
                SELECT name, (SELECT count(*) FROM products) AS count
                FROM products WHERE id > :groupId;
              postgres: "SELECT 1 WHERE :groupId = 1"
          - name: Similar
            kind: function
            bind: {set: Products, as: product}
            parameters:
              - {name: mood, type: Int32, nullable: false, enum: Mood}
              - {name: words, collection: String, nullItems: true, optional: true}
            returns: {set: Products, collection: true}
            composable: true
            sql: "SELECT id FROM products WHERE id <> :Id AND :mood = 0 AND :words IS NULL"
          - name: Sum
            kind: function
            returns: {type: Decimal, nullable: false, precision: 19, scale: 4, storage: decimal-text}
            import: [Sum, Total]
            inServiceDocument: true
            sql: "SELECT '1.5'"
          - name: Clean
            kind: action
            bind: {set: Products, collection: true}
            handler: true
        # What no policy allows is refused. A condition speaks of the row and of the user, for example
        #   - {role: "*", sets: [Orders], operations: [read, insert, update, delete], where: "OwnerId eq @me"}
        policies:
          - {role: "*", sets: "*", operations: [read]}
          - {role: clerk, calls: [Report, Similar]}
          - {role: boss, sets: [Products], operations: [update], calls: "*"}

        """

    @Test func `operations are read, and written as they were read`() throws {
        let domain = try Domain(yaml: Self.text)
        #expect(domain.yaml == Self.text)
        #expect(try Domain(yaml: domain.yaml) == domain)
    }

    @Test func `out parameters become a complex type with the number of rows before them`() throws {
        let domain = try Domain(yaml: Self.text)
        let report = try #require(domain.model.operations(named: "Report").first)
        #expect(report.rowsAffectedProperty == "rowsAffected")
        #expect(report.returnType == OperationType(.complex("ReportResult"), isNullable: false))
        #expect(
            domain.model[complexType: "ReportResult"]?.properties == [
                Property(names: Names(wire: "rowsAffected"), type: .int32, isNullable: false),
                Property(names: Names(wire: "name"), type: .string, maxLength: 255),
                Property(names: Names(wire: "count"), type: .int32),
            ]
        )
        #expect(report.parameters[0].isOptional)
        #expect(report.parameters[0].defaultValue == .integer(0))
        #expect(report.imports == [OperationImport("Report")])
    }

    @Test func `policies name the operations that may be called`() throws {
        let policies = try Domain(yaml: Self.text).policies
        #expect(policies.map(\.calls) == [[], ["Report", "Similar"], ["*"]])
        #expect(policies[1].sets == [])
        #expect(policies[1].operations == [])
    }

    @Test func `a singleton is bound to as an entity of its set`() throws {
        let text = Self.text.replacing("bind: {set: Products, as: product}", with: "bind: Star")
        let similar = try #require(try Domain(yaml: text).model.operations(named: "Similar").first)
        #expect(similar.binding == OperationBinding(set: "Products"))
    }

    @Test(arguments: [
        (
            "bind: {set: Products, as: product}", "bind: {set: Nothing}",
            "domain.yaml:41: operations[2].bind.set is \"Nothing\", and there is no such set or singleton."
        ),
        (
            "AND :mood = 0", "AND :moot = 0",
            "domain.yaml:39: The operation Similar: Its SQL has the parameter :moot, which is not declared; known are :mood, :words, :Id, :me."
        ),
        (
            "AND :mood = 0", "",
            "domain.yaml:39: The operation Similar: Its SQL does not use the parameter :mood."
        ),
        (
            "AND :mood = 0", "AND :mood = ?1",
            "domain.yaml:39: The operation Similar: Its SQL has the parameter ?1: parameters are written :Name, by their names."
        ),
        (
            "sql: \"SELECT '1.5'\"", "sql: \"SELECT '1.5'; DELETE FROM products\"",
            "domain.yaml:48: The operation Sum: It is a function, and its SQL has 2 statements: a function is one query."
        ),
        (
            "sql: \"SELECT '1.5'\"", "sql: \"DROP TABLE products\"",
            "domain.yaml:48: The operation Sum: Its SQL has a statement that begins with DROP: an operation reads and changes rows, nothing else."
        ),
        (
            "sql: \"SELECT '1.5'\"", "sql: {postgres: SELECT 1.5}",
            "domain.yaml:48: The operation Sum has no SQL for sqlite."
        ),
        (
            "sql: \"SELECT '1.5'\"", "function: sum",
            "domain.yaml:48: The operation Sum is a routine of the database, and SQLite has none."
        ),
        (
            "    handler: true\n", "",
            "domain.yaml:54: The operation Clean has not exactly one of sql, function, procedure, handler."
        ),
        (
            "enum: Mood}", "enum: Mud}",
            "domain.yaml:43: operations[2].parameters[1].enum is \"Mud\", and there is no such enumeration."
        ),
        (
            "returns: {set: Products, collection: true}", "returns: {set: Product, collection: true}",
            "domain.yaml:39: The operation Similar: There is no entity set ‘Product’."
        ),
        (
            "  - name: Sum\n", "  - name: Products\n",
            "domain.yaml:48: The operation Products: Its import has the name ‘Products’ of an entity set or a singleton."
        ),
        (
            "calls: [Report, Similar]", "calls: [Report, Nothing]",
            "domain.yaml:62: The policy names the operation Nothing, and there is none."
        ),
        (
            "kind: function\n    returns: {type: Decimal", "kind: method\n    returns: {type: Decimal",
            "domain.yaml:49: operations[3].kind is \"method\"; known are function, action."
        ),
    ])
    func `a mistake is told with its line and its operation`(old: String, new: String, message: String) throws {
        try #require(Self.text.contains(old))
        // Under another name it would keep the imports of its own.
        let imports = "    import: [Sum, Total]\n"
        let text = new.hasPrefix("  - name") ? Self.text.replacing(imports, with: "") : Self.text
        let error = #expect(throws: DomainError.self) { try Domain(yaml: text.replacing(old, with: new)) }
        #expect(error?.description == message)
    }
}
