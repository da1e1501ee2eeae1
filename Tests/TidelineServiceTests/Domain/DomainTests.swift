// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineService
import TidelineStorage

struct DomainTests {
    static let text = """
        # A domain of Tideline. Edit it by hand as you like: the server reads it again when it changes.
        format: 1
        name: shop
        database:
          kind: sqlite
          path: /data/shop.sqlite
        open: false
        requireIfMatch: true
        limits: {pageRows: 100}
        namespace: Shop
        sets:
          - name: Clients
            type: Client
            table: clients
            key: [ClientId]
            properties:
              - {name: ClientId, column: client_id, type: Int32, nullable: false, generated: on-insert}
              - {name: Name, type: String, nullable: false, maxLength: 40, default: "no one"}
              - {name: OwnerId, type: Int64}
              - {name: Balance, type: Decimal, precision: 18, scale: 2, default: 0, storage: decimal-scaled}
            unique:
              - [Name, OwnerId]
            navigation:
              - {name: Orders, target: Orders, collection: true, on: [{from: ClientId, to: ClientId}], onDelete: Cascade, partner: Client}
          - name: Orders
            type: Order
            table: order lines
            readOnly: true
            key: [OrderId, Line]
            properties:
              - {name: OrderId, type: Guid, nullable: false}
              - {name: Line, type: Int16, nullable: false}
              - {name: ClientId, type: Int32}
            navigation:
              - {name: Client, target: Clients, dependent: true, on: [{from: ClientId, to: ClientId}], onDelete: Cascade, partner: Orders}
        # What no policy allows is refused. A condition speaks of the row and of the user, for example
        #   - {role: "*", sets: [Orders], operations: [read, insert, update, delete], where: "OwnerId eq @me"}
        policies:
          - {role: "*", sets: [Clients], operations: [read, update], where: "OwnerId eq @me"}
          - {role: staff, sets: "*", operations: [read]}

        """

    /// The text with its quoted table name, as it is written.
    static var written: String { text.replacing("table: order lines", with: "table: \"order lines\"") }

    @Test func `what was decided when the database was published is read as it was written`() throws {
        var domain = try Domain(yaml: Self.text)
        #expect(domain.publishing == PublishingChoices())
        #expect(!domain.yaml.contains("publishing"))
        domain.publishing = PublishingChoices(
            skipped: ["Audit", "staff.hash", "odd: name"],
            keys: ["Totals": ["ClientId", "Year"]],
            guesses: [.complex, .json]
        )
        #expect(try Domain(yaml: domain.yaml).publishing == domain.publishing)
        let later = PublishingChoices(skipped: ["B"], keys: ["Totals": ["Id"]]).adding(to: domain.publishing)
        #expect(later.skipped == ["Audit", "B", "staff.hash", "odd: name"])
        #expect(later.keys == ["Totals": ["Id"]])
        #expect(later.guesses == [.complex, .json])
        #expect(later.including(["B", "Audit"]).skipped == ["staff.hash", "odd: name"])
    }

    @Test
    func `a domain that is read and written again is the same text`() throws {
        let domain = try Domain(yaml: Self.text)
        #expect(domain.yaml == Self.written)
        #expect(try Domain(yaml: domain.yaml) == domain)
    }

    @Test
    func `how much of the change log is kept is a setting, 0 without end`() throws {
        let day: Int64 = 86_400
        #expect(try Domain(yaml: Self.text).retention == LogRetention(seconds: 90 * day, entries: 10_000_000))
        for (line, retention) in [
            ("changeLog: {days: 30, changes: 500}", LogRetention(seconds: 30 * day, entries: 500)),
            ("changeLog: {days: 0, changes: 0}", LogRetention()),
            ("changeLog: {changes: 7}", LogRetention(seconds: 90 * day, entries: 7)),
        ] {
            let text = Self.written.replacing("namespace: Shop\n", with: "\(line)\nnamespace: Shop\n")
            let domain = try Domain(yaml: text)
            #expect(domain.retention == retention)
            #expect(domain.yaml == text)
        }
        #expect(throws: DomainError.self) { try Domain(yaml: Self.text + "changeLog: {days: -1}\n") }
        #expect(throws: DomainError.self) { try Domain(yaml: Self.text + "changeLog: {weeks: 1}\n") }
    }

    @Test
    func `times of a statement are limits of the domain`() throws {
        let line = "limits: {pageRows: 100, statementSeconds: 5, lockSeconds: 2}"
        let text = Self.written.replacing("limits: {pageRows: 100}", with: line)
        let domain = try Domain(yaml: text)
        #expect((domain.limits.statementSeconds, domain.limits.lockSeconds) == (5, 2))
        #expect(domain.yaml == text)
        #expect(ServiceLimits().statementSeconds == 30)
        #expect(throws: DomainError.self) {
            try Domain(yaml: text.replacing("statementSeconds: 5", with: "statementSeconds: 0"))
        }
    }

    @Test
    func `a PostgreSQL database is named by its address`() throws {
        let text = Self.written.replacing(
            "  kind: sqlite\n  path: /data/shop.sqlite\n",
            with: "  kind: postgres\n  url: \"postgres://shop@db.example/shop?sslmode=require\"\n  schema: sales\n"
                + "  passwordFile: secret\n  replica: \"postgres://shop@copy.example/shop\"\n"
        )
        let domain = try Domain(yaml: text)
        #expect(
            domain.database
                == Domain.Database(
                    url: "postgres://shop@db.example/shop?sslmode=require",
                    schema: "sales",
                    passwordFile: "secret",
                    replica: "postgres://shop@copy.example/shop"
                )
        )
        #expect(domain.yaml == text)
    }

    @Test
    func `every part of the file arrives in the value`() throws {
        let domain = try Domain(yaml: Self.text)
        #expect(domain.name == "shop")
        #expect(domain.database == Domain.Database(path: "/data/shop.sqlite"))
        #expect(domain.requiresIfMatch && !domain.isOpen)
        #expect(domain.limits == ServiceLimits(pageRows: 100))
        let clients = try #require(domain.model[set: "Clients"])
        #expect(clients.type.properties[0].names == Names(wire: "ClientId", database: "client_id"))
        #expect(clients.type.properties[0].generation == .onInsert)
        #expect(clients.type.properties[1].defaultValue == .string("no one"))
        #expect(clients.type.properties[3].defaultValue == .decimal(EdmDecimal(coefficient: 0)))
        #expect(clients.type.uniqueKeys == [[1, 2]])
        let orders = try #require(domain.model[set: "Orders"])
        #expect(orders.isReadOnly && orders.type.key == [0, 1])
        #expect(orders.type.navigationProperties[0].constraints == [.init(source: 2, target: 0)])
        #expect(domain.policies[0].condition == "OwnerId eq @me")
        #expect(domain.policies[1] == Policy(role: "staff", sets: nil, operations: [.read]))
        #expect(domain.scopeProperties == ["Clients": ["OwnerId"]])
    }

    @Test(
        arguments: [
            (
                "format: 1", "format: 2", 2,
                "domain.yaml:2: The file's format is not 1, which is the only one known here."
            ),
            (
                "name: shop", "name: Shop!", 3,
                "domain.yaml:3: The domain's name is not made of lower-case letters, digits, - and _, a letter first."
            ),
            (
                "kind: sqlite", "kind: oracle", 5,
                "domain.yaml:5: database.kind is \"oracle\"; known are sqlite, postgres."
            ),
            (
                "kind: sqlite", "kind: postgres", 6,
                "domain.yaml:6: A database of the kind postgres has no \"path\"."
            ),
            (
                "open: false", "opn: false", 7,
                "domain.yaml:7: The file has no key \"opn\"; known are changeLog, compatibility, complexTypes, container, database, description, enumerations, format, fullMetadata, limits, name, namespace, open, operations, policies, publishing, requireIfMatch, sets, signIn, singletons."
            ),
            (
                "type: Int64}", "type: Int65}", 19,
                "domain.yaml:19: sets[1].properties[3].type is \"Int65\", which is no primitive type of OData."
            ),
            (
                "default: 0,", "default: zero,", 20,
                "domain.yaml:20: sets[1].properties[4].default is not a value of Edm.Decimal."
            ),
            (
                "[Name, OwnerId]", "[Name, Owner]", 22,
                "domain.yaml:22: Clients has no property Owner to stand here once."
            ),
            (
                "target: Orders", "target: Order", 24,
                "domain.yaml:24: sets[1].navigation[1].target is \"Order\", and there is no such set."
            ),
            ("key: [OrderId, Line]", "key: []", 29, "domain.yaml:29: Orders has no key."),
            (
                "partner: Orders}", "partner: Lines}", 25,
                "domain.yaml:25: The partner Lines of Orders.Client does not lead back from Clients."
            ),
            ("OwnerId eq @me\"}\n  - {role: staff", "OwnerId eq\"}\n  - {role: staff", 39, nil),
            ("OwnerId eq @me\"}\n  - {role: staff", "Owner eq @me\"}\n  - {role: staff", 39, nil),
        ] as [(String, String, Int, String?)]
    )
    func `a mistake is told with its line`(text: String, mistake: String, line: Int, message: String?) throws {
        let error = #expect(throws: DomainError.self) { try Domain(yaml: Self.text.replacing(text, with: mistake)) }
        #expect(error?.line == line)
        if let message { #expect(error?.description == message) }
    }

    @Test
    func `a policy that no change tracking can follow is refused by name`() throws {
        let text = Self.text.replacing(
            "where: \"OwnerId eq @me\"}\n  - {role: staff",
            with: "where: \"year(now()) eq OwnerId\"}\n  - {role: staff"
        )
        let error = #expect(throws: DomainError.self) { try Domain(yaml: text) }
        #expect(
            error?.message
                == "The policy \"year(now()) eq OwnerId\" on Clients cannot be followed by change tracking: "
                + "its truth changes with the clock (now), not with a change of data."
        )
    }

    @Test
    func `an open domain has no policies`() throws {
        let text = Self.text.replacing("open: false", with: "open: true")
        let error = #expect(throws: DomainError.self) { try Domain(yaml: text) }
        #expect(error?.code == .policy)
    }

    @Test(arguments: ["", "- a", "a: [", "name: &x {a: *x}", "\u{0}", "format: 1\nformat: 1"])
    func `what is no domain is refused`(text: String) {
        #expect(throws: DomainError.self) { try Domain(yaml: text) }
    }
}
