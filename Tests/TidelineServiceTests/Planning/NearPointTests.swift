// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// Distances from a point whose numbers have an index.
struct NearPointTests {
    private static let tables = """
        CREATE TABLE Spots (
            Id INTEGER PRIMARY KEY, Lat REAL NOT NULL, Lng REAL NOT NULL, IsPublic BOOLEAN NOT NULL, OwnerId INT NOT NULL,
            Location TEXT GENERATED ALWAYS AS
                ('POINT(' || printf('%!.17g', Lng) || ' ' || printf('%!.17g', Lat) || ')') VIRTUAL);
        CREATE INDEX SpotsByPlace ON Spots (Lat, Lng);

        """

    /// A hundred thousand spots over the whole globe, each third one of alice's.
    private static let rows = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO Spots (Id, Lat, Lng, IsPublic, OwnerId)
        SELECT i, (i * 7919 % 180001) / 1000.0 - 90, (i * 104729 % 360001) / 1000.0 - 180, i % 2, i % 3 FROM n;
        """

    private static let policies = [
        Policy(role: "*", sets: ["Spots"], operations: [.read], where: "OwnerId eq @me or IsPublic eq true")
    ]

    private static func shop(_ rows: String = "") throws -> Shop {
        try Shop(
            policies: policies,
            adding: tables + rows,
            shaping: { sets in
                guard let place = sets.firstIndex(where: { $0.names.wire == "Spots" }) else { return }
                var type = sets[place].type
                func change(_ name: String, _ body: (inout Property) -> Void) {
                    if let place = type.propertyIndex(wire: name) { body(&type.properties[place]) }
                }
                change("Lat") { ($0.minimum, $0.maximum) = (.double(-90), .double(90)) }
                change("Lng") { ($0.minimum, $0.maximum) = (.double(-180), .double(180)) }
                change("IsPublic") { $0.type = .boolean }
                change("Location") {
                    $0.type = .geographyPoint
                    $0.coordinates = Coordinates(latitude: "Lat", longitude: "Lng")
                }
                sets[place].type = type
            }
        )
    }

    private static func steps(_ filter: String, in shop: Shop) throws -> String {
        let policies = try PolicySet(model: shop.domain.model, policies: shop.domain.policies)
        let planner = Planner(model: shop.domain.model, policies: policies, limits: ServiceLimits())
        let set = try #require(shop.domain.model[set: "Spots"])
        let options = try QueryOptions(parsing: "$filter=\(filter.replacing(" ", with: "%20"))"[...])
        let statement = CountStatement(
            plan: try planner.query(set, options, for: Shop.alice).plan,
            dialect: SQLiteDialect()
        )
        return try shop.database.read { connection in
            if let handle = unsafe connection.sqliteConnection { try unsafe SQLiteFunctions.register(on: handle) }
            return try Row.fetchAll(
                connection,
                sql: "EXPLAIN QUERY PLAN \(statement.text)",
                arguments: StatementArguments(statement.bindings.map { _ in nil as Int? })
            )
            .map { $0["detail"] as String }.joined(separator: "; ")
        }
    }

    private static func near(_ lng: Double, _ lat: Double) -> String {
        "geo.distance(Location,geography'SRID=4326;Point(\(lng) \(lat))')"
    }

    @Test(.covers("PS-09"))
    func `a distance filter over 100000 spots looks into the index, behind a policy too`() throws {
        let shop = try Self.shop(Self.rows)
        #expect(try shop.value("SELECT count(*) FROM Spots") == "100000")
        let here = Self.near(10.75, 59.9)
        for filter in [
            "\(here) lt 50000", "\(here) le 50000.5", "50000 gt \(here)", "Id gt 5 and \(here) lt 50000",
            "\(Self.near(0, 89.9)) lt 50000",
        ] {
            let steps = try Self.steps(filter, in: shop)
            #expect(steps.contains("INDEX SpotsByPlace (Lat>? AND Lat<?)"), "\(filter): \(steps)")
        }
        let acrossLine = try Self.steps("\(Self.near(179.99, 0)) lt 50000", in: shop)
        #expect(acrossLine.contains("INDEX SpotsByPlace ("), "\(acrossLine)")
        for filter in [
            "\(here) gt 50000", "not (\(here) lt 50000)", "Id eq 5 or \(here) lt 50000", "\(here) lt 30000000",
        ] {
            let steps = try Self.steps(filter, in: shop)
            #expect(!steps.contains("SpotsByPlace (Lat>?"), "\(filter): \(steps)")
        }
    }

    @Test(.covers("PS-09"))
    func `what the index finds are the spots that are near, to the last one`() throws {
        let shop = try Self.shop(Self.rows)
        let spots = try shop.database.read { connection in
            try Row.fetchAll(connection, sql: "SELECT Lat, Lng FROM Spots WHERE OwnerId = 1 OR IsPublic = 1")
                .map { Geography.Position($0["Lng"], $0["Lat"]) }
        }
        let cases: [(Double, Double, Double)] = [
            (10.75, 59.9, 50_000), (179.99, 0, 200_000), (-180, 45, 100_000), (0, 89.9, 300_000),
            (120, -89.99, 900_000), (10, 20, 4_000_000), (10, 20, 0),
        ]
        for (lng, lat, metres) in cases {
            let center = Geography(.point(.init(lng, lat)))
            let count = spots.count { Geography.distance(center, Geography(.point($0))).map { $0 <= metres } ?? false }
            let reply = shop.get("Spots/$count?$filter=\(Self.near(lng, lat)) le \(metres)".replacing(" ", with: "%20"))
            #expect(reply.text == "\(count)", "\(lng) \(lat) \(metres)")
        }
    }

    @Test func `a spot at a line of the box is found, and a point keeps all digits of its numbers`() throws {
        let shop = try Self.shop(
            "INSERT INTO Spots (Id, Lat, Lng, IsPublic, OwnerId) VALUES (1, 59.91390000000001, 10.1, 1, 9),"
                + " (2, 0.1, -180, 1, 9), (3, 0.1, 180, 1, 9);"
        )
        #expect(shop.get("Spots(1)/Location").text.contains("[10.1,59.91390000000001]"))
        let here = "\(Self.near(10.1, 59.91390000000001)) le 0".replacing(" ", with: "%20")
        #expect(shop.get("Spots/$count?$filter=\(here)").text == "1")
        // One place with two longitudes.
        let line = "\(Self.near(180, 0.1)) lt 1".replacing(" ", with: "%20")
        #expect(shop.get("Spots/$count?$filter=\(line)").text == "2")
    }

    @Test func `a domain's file names the numbers of a point, and says what they lack`() throws {
        let domain = try Self.shop().domain
        let again = try Domain(yaml: domain.yaml)
        #expect(again.model == domain.model)
        #expect(domain.yaml.contains("coordinates: [Lat, Lng]"))
        for (text, instead, message) in [
            ("min: \"-90\", ", "", "Spots.Lat is not of the type Double with a min of -90 and a max of 90."),
            ("max: 180}", "max: 181}", "Spots.Lng is not of the type Double with a min of -180 and a max of 180."),
            ("[Lat, Lng]", "[Lat]", "names two properties: the latitude, then the longitude."),
            ("type: GeographyPoint", "type: String", "is of a property that is no point of WGS 84"),
            ("type: GeographyPoint", "type: GeographyPoint, srid: 4258", "is of a property that is no point of WGS 84"),
        ] {
            let yaml = domain.yaml.replacing(text, with: instead)
            #expect(yaml != domain.yaml, "\(text)")
            let error = #expect(throws: DomainError.self) { try Domain(yaml: yaml) }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }
}
