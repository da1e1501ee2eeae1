// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// What a user asks is never run over a row that a policy hides: neither its errors nor its time can tell of one.
struct FenceTests {
    /// A request over Bob's hidden rows, whose words are "twenty", "Ben" and "B".
    struct Probe: Sendable, CustomTestStringConvertible {
        var set: String
        var options: String
        var after: [Value]?
        var testDescription: String { "\(set)?\(options)" }

        init(_ set: String, _ options: String, after: [Value]? = nil) {
            self.set = set
            self.options = options
            self.after = after
        }
    }

    /// Clients show their owner's rows, orders those of the owner of their client; notes show all, but lead to clients.
    static let policies =
        Shop.policies + [Policy(role: "reader", sets: ["Visits"], operations: [.read])]
    static let tables = """
        CREATE TABLE Visits (VisitId INTEGER PRIMARY KEY, Place TEXT, ClientId INTEGER REFERENCES Clients(ClientId));
        INSERT INTO Visits VALUES (1, 'here', 1), (2, 'there', 2), (3, 'nowhere', NULL);
        CREATE INDEX ClientOwner ON Clients (OwnerId);
        """

    static let probes = [
        Probe("Orders", "$filter=matchesPattern(Title,'t.*')"),
        Probe("Orders", "$filter=contains(Title,'t') and Total gt 5"),
        Probe("Orders", "$filter=not endswith(Title,'t')"),
        Probe("Orders", "$filter=Total add 1 gt 5"),
        Probe("Orders", "$filter=toupper(Title) eq 'TEN' or Total eq 200"),
        Probe("Orders", "$filter=case(Total ge 200:toupper(Title),true:'x') eq 'TWENTY'"),
        Probe("Orders", "$filter=length(Client/Name) eq 3"),
        Probe("Orders", "$compute=toupper(Title) as U&$filter=U eq 'TWENTY'"),
        Probe("Orders", "$search=ty"),
        Probe("Orders", "$orderby=toupper(Title)", after: [.string("A"), .integer(1)]),
        Probe("Orders", "$orderby=toupper(Client/Name) desc", after: [.string("Z"), .integer(1)]),
        Probe("Clients", "$filter=contains(Name,'e')"),
        Probe("Clients", "$filter=Orders/any(o:contains(o/Title,'t'))"),
        Probe("Clients", "$filter=Orders/all(o:contains(o/Title,'t'))"),
        Probe("Clients", "$filter=Orders/$count($filter=contains(Title,'t')) eq 1"),
        Probe("Clients", "$orderby=Orders/$count($filter=contains(Title,'t'))", after: [.integer(0), .integer(0)]),
        Probe("Visits", "$filter=toupper(Client/Name) eq 'BEN'"),
        Probe("Visits", "$filter=contains(Client/Name,'e') or Place eq 'there'"),
        Probe("Visits", "$filter=Client/Orders/any(o:toupper(o/Title) eq 'TWENTY')"),
        Probe("Visits", "$filter=$root/Clients/any(c:contains(c/Name,'e'))"),
        Probe("Visits", "$filter=$root/Clients/$count($filter=contains(Name,'e')) gt 1"),
        Probe("Visits", "$filter=$root/Clients(1)/Orders/any(o:contains(o/Title,'t'))"),
        Probe("Visits", "$filter=toupper($root/Clients(2)/Name) eq 'BEN'"),
        Probe(
            "Visits",
            "$orderby=Client/Orders/aggregate(toupper(Title) with max)",
            after: [.string("A"), .integer(0)]
        ),
        Probe("Clients", "$filter=toupper(Orders(20)/Title) eq 'TWENTY'"),
        Probe("Clients", "$filter=Orders/aggregate(toupper(Title) with max) eq 'TWENTY'"),
        Probe("Visits", "$orderby=length(Client/Name)", after: [.integer(1), .integer(0)]),
        Probe("Visits", "$apply=filter(contains(Client/Name,'e'))/aggregate($count as N)"),
        Probe("Visits", "$apply=aggregate(length(Client/Name) with max as N)"),
        Probe("Visits", "$apply=compute(toupper(Client/Name) as U)/filter(U eq 'BEN')"),
        Probe("Orders", "$apply=filter(contains(Title,'t'))/aggregate($count as N)"),
        Probe("Orders", "$apply=groupby((Title))/filter(toupper(Title) eq 'TWENTY')"),
        Probe("Orders", "$apply=compute(toupper(Title) as U)/filter(U eq 'TWENTY')"),
        Probe("Clients", "$apply=join(Orders as Order,filter(contains(Title,'t')))/aggregate($count as N)"),
        Probe("Clients", "$apply=join(Orders as Order)/filter(contains(Order/Title,'t'))/aggregate($count as N)"),
        Probe("Clients", "$apply=outerjoin(Orders as Order,filter(contains(Title,'t')))/aggregate($count as N)"),
        Probe("Clients", "$apply=join(Orders as O,aggregate(toupper(Title) with max as T))/filter(O/T eq 'TWENTY')"),
        Probe("Orders", "$apply=groupby((ClientId),filter(contains(Title,'t'))/aggregate($count as N))"),
        Probe("Orders", "$apply=compute(length(Title) as L)/groupby((ClientId),topcount(1,L))"),
        Probe("Orders", "$apply=compute(length(Title) as L)/groupby((L),aggregate($count as N))/filter(L gt 1)"),
    ]

    /// The words that functions got to see while the statement of a request ran.
    ///
    /// - Parameter isFenced: whether it is planned as ever, or with policy and filter side by side.
    private func seen(_ probe: Probe, isFenced: Bool = true) throws -> (words: Set<String>, calls: Int) {
        let shop = try Shop(
            policies: Self.policies,
            adding: Self.tables,
            shaping: { sets in
                for place in sets.indices {
                    sets[place].type.searchProperties = sets[place].type.properties.indices.filter {
                        sets[place].type.properties[$0].type == .string
                    }
                }
            }
        )
        let user = UserContext(id: .integer(1), name: "alice", roles: ["buyer", "reader"])
        let policies = try PolicySet(model: shop.domain.model, policies: shop.domain.policies)
        let planner = Planner(model: shop.domain.model, policies: policies, limits: ServiceLimits())
        let set = try #require(shop.domain.model[set: probe.set])
        let options = try QueryOptions(parsing: probe.options.replacing(" ", with: "%20")[...])
        let text: String
        let bindings: [SQLValue]
        if let steps = options.apply {
            let plan = try planner.aggregation(steps, over: Resource.Collection(set: set), for: user)
            let statement = AggregationStatement(plan, dialect: SQLiteDialect())
            (text, bindings) = (statement.text, statement.bindings)
        } else {
            let query = try planner.query(set, options, for: user)
            var plan = query.plan
            if !isFenced { plan.filter = TypedExpression.all(query.policy, query.filter) }
            plan.after = probe.after
            let statement = SelectStatement(plan: plan, dialect: SQLiteDialect())
            (text, bindings) = (statement.text, statement.bindings)
        }
        let log = Mutex<[String]>([])
        let names = SQLFunction.allCases.map { "tideline_" + $0.rawValue } + ["instr"]
        try shop.database.write { connection in
            for name in names {
                connection.add(
                    function: DatabaseFunction(name) { values in
                        log.withLock { log in log += values.map { String.fromDatabaseValue($0) ?? "" } }
                        return 1
                    }
                )
            }
            let arguments: [(any DatabaseValueConvertible)?] = bindings.map { value in
                switch value {
                case .null: nil
                case .integer(let number): number
                case .real(let number): number
                case .text(let text): text
                case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
                case .typed(let text, _): text
                }
            }
            _ = try Row.fetchAll(connection, sql: text, arguments: StatementArguments(arguments))
        }
        let words = log.withLock { $0 }
        return (Set(words), words.count)
    }

    @Test(arguments: probes)
    func `no function sees a hidden row`(probe: Probe) throws {
        let (words, calls) = try seen(probe)
        // The probe is one: its functions ran over the rows that are shown.
        #expect(calls > 0)
        #expect(words.isDisjoint(with: ["twenty", "Ben", "200"]), "\(words)")
    }

    @Test
    func `without the fence a hidden row is felt`() throws {
        #expect(
            try seen(Probe("Orders", "$filter=matchesPattern(Title,'t.*')"), isFenced: false).words.contains("twenty")
        )
    }

    @Test
    func `a plain filter stays beside the policy, where its index serves`() throws {
        let shop = try Shop(policies: Self.policies, adding: Self.tables)
        let policies = try PolicySet(model: shop.domain.model, policies: shop.domain.policies)
        let planner = Planner(model: shop.domain.model, policies: policies, limits: ServiceLimits())
        let set = try #require(shop.domain.model[set: "Clients"])
        func plan(_ filter: String) throws -> (sql: String, steps: String) {
            let options = try QueryOptions(parsing: "$filter=\(filter.replacing(" ", with: "%20"))"[...])
            let plan = try planner.query(set, options, for: Shop.alice).plan
            let statement = CountStatement(plan: plan, dialect: SQLiteDialect())
            let steps = try shop.database.read { connection in
                try Row.fetchAll(
                    connection,
                    sql: "EXPLAIN QUERY PLAN \(statement.text)",
                    arguments: StatementArguments(statement.bindings.map { _ in nil as Int? })
                )
                .map { $0["detail"] as String }.joined(separator: "; ")
            }
            return (statement.text, steps)
        }
        #expect(!(try plan("Name eq 'Ann' and ClientId gt 1").sql.contains("CASE")))
        #expect(!(try plan("startswith(Name,'A') or Code in ('A','B')").sql.contains("CASE")))
        #expect(try plan("Code eq 'A'").steps.contains("INDEX"))
        let fenced = try plan("contains(Name,'A')")
        #expect(fenced.sql.contains("CASE"))
        #expect(fenced.steps.contains("USING INDEX ClientOwner"), "\(fenced.steps)")
    }

    @Test(
        .enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice),
        arguments: [
            "Jobs?$filter=year(Due) gt 1", "Jobs?$orderby=year(Due)&$select=JobId",
            "Jobs?$apply=filter(year(Due) gt 1)/aggregate($count as N)",
            "Jobs/$count?$filter=Due add duration'PT1S' gt Due",
            "Jobs?$apply=groupby((Due))/filter(year(Due) gt 1)",
            "Desks?$filter=Jobs/any(j:year(j/Due) gt 1)", "Desks?$filter=Jobs/all(j:year(j/Due) gt 1)",
            "Notes?$filter=year(Job/Due) gt 1", "Notes?$orderby=Job/Due add duration'PT1S'",
            "Desks?$expand=Jobs($filter=year(Due) gt 1)",
        ]
    )
    func `on PostgreSQL a hidden row makes no error`(path: String) throws {
        let stand = try Self.infinite()
        let reply = stand.get(path.replacing(" ", with: "%20"))
        #expect(reply.status == 200, "\(reply.text)")
        #expect(!reply.text.contains("\"DeskId\":2"))
    }

    /// Alice's jobs, and one of Bob's: PostgreSQL knows an infinite moment, of which nothing can be computed.
    private static func infinite() throws -> Stand {
        let stand = try Stand(
            .postgres,
            tables: """
                CREATE TABLE "Desks" ("DeskId" integer PRIMARY KEY, "OwnerId" integer NOT NULL);
                CREATE TABLE "Jobs" ("JobId" integer PRIMARY KEY, "Due" timestamptz NOT NULL,
                    "DeskId" integer NOT NULL REFERENCES "Desks");
                CREATE TABLE "Notes" ("NoteId" integer PRIMARY KEY, "JobId" integer REFERENCES "Jobs");
                INSERT INTO "Desks" VALUES (1, 1), (2, 2);
                INSERT INTO "Jobs" SELECT n, '2026-11-21T10:00:30Z', 1 FROM generate_series(1, 50) AS n;
                """,
            policies: [
                Policy(role: "*", sets: ["Desks"], operations: [.read], where: "OwnerId eq @me"),
                Policy(role: "*", sets: ["Jobs"], operations: [.read], where: "Desk/OwnerId eq @me"),
                Policy(role: "*", sets: ["Notes"], operations: [.read]),
            ]
        )
        try stand.sql(
            """
            INSERT INTO "Jobs" VALUES (99, 'infinity', 2);
            INSERT INTO "Notes" VALUES (1, 1), (2, 99);
            ANALYZE;
            """
        )
        return stand
    }

    @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
    func `on PostgreSQL it would, without the fence`() throws {
        let stand = try Self.infinite()
        let policies = try PolicySet(model: stand.domain.model, policies: stand.domain.policies)
        let planner = Planner(model: stand.domain.model, policies: policies, limits: ServiceLimits())
        let set = try #require(stand.domain.model[set: "Jobs"])
        let options = try QueryOptions(parsing: "$filter=year(Due)%20gt%201")
        let query = try planner.query(set, options, for: Shop.alice)
        #expect(try stand.store.read { try $0.count(query.plan) } == 50)
        var plan = query.plan
        plan.filter = TypedExpression.all(query.policy, query.filter)
        #expect(throws: (any Error).self) { try stand.store.read { try $0.count(plan) } }
    }
}
