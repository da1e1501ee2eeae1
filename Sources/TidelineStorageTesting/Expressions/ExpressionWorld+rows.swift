// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineStorage

extension ExpressionWorld {
    /// The rows of the sets of the model, each value by its text, `nil` for null.
    package static let rows: [[[String?]]] = [items, owners, parts, labels, itemLabels]

    private static let items: [[String?]] = [
        [
            "1", "Apple", "1", "9223372036854775807", "2.5", "0.5", "true", "2024-02-29", "2024-02-29T12:30:15.25Z",
            "08:15:30.5", "PT1H30M", "00000000-0000-0000-0000-000000000001", "1", "AAEC",
            "1", "3", #"["red","big"]"#, "[1,2.5,2.50]",
            #"[{"Product":"Tea","Quantity":2,"Price":1.5},{"Product":"Milk","Quantity":1,"Price":0.99}]"#,
            #"{"City":"Rome","Zip":"00100","Geo":{"Lat":41.9}}"#,
            #"{"Note":"hi","Score":5,"Ratio":0.5,"Ok":true,"Made":"2024-02-29","Keeper":1}"#,
            "Rome", "100", "SRID=4326;Point(0 0)", "SRID=4326;Polygon((0 0,10 0,10 10,0 10,0 0))",
            "SRID=4326;LineString(0 0,0 1)", "item", nil, nil,
        ],
        [
            "2", "apple", "5", "-9223372036854775808", "-2.5", "-2.5", "false", "1969-12-31",
            "1969-12-31T23:59:59.999Z",
            "00:00:00", "-P1D", "abcdef00-0000-0000-0000-0000000000ff", "2", "",
            "2", "4", "[]", "[3]", #"[{"Product":"Tea","Quantity":10,"Price":1.5}]"#, nil,
            #"{"Note":"","Score":7.5,"Made":"2023-05-06T07:08:09Z","Keeper":"1"}"#, nil, nil, "SRID=4326;Point(0 1)",
            nil,
            "SRID=4326;LineString(0 0,3 4)", "gadget", "12", "1",
        ],
        ["3"] + Array(repeating: nil, count: 25) + ["super", nil, nil],
        [
            "4", "10%_Ä", "0", "0", "0.1", "2.5", "true", "2000-01-01", "2000-01-01T00:00:00Z", "23:59:59.999", "PT0S",
            "7f000000-0000-0000-0000-000000000000", "1", "_w",
            "4", "0", #"["Straße","a\"b"]"#, "[]", "[]", #"{"City":null,"Zip":"1"}"#, "{}", "Bern", nil,
            "SRID=4326;Point(8.5 47.3)",
            "SRID=4326;Polygon((0 0,20 0,20 60,0 60,0 0),(5 40,10 40,10 50,5 50,5 40))", nil, "gadget", "230", "1",
        ],
        [
            "5", " straße ", "-7", "42", "1234567.8901", "1e300", nil, nil, "2024-03-01T00:00:00Z", nil, "PT36H", nil,
            "2", nil,
            nil, "7", #"["big",null]"#, "[0.1,0.2]", #"[{"Product":null,"Quantity":5}]"#, #"{"City":"Oslo"}"#,
            #"{"Score":"seven","Made":"07:08:09","Keeper":2}"#, nil, "8000", nil,
            "SRID=4326;Polygon((8 47,9 47,9 48,8 48,8 47))", nil, "item", "5", "2",
        ],
    ]

    private static let owners: [[String?]] = [["1", "Ann"], ["2", nil]]

    private static let parts: [[String?]] = [
        ["11", "1", "bolt", "1.5", "1"], ["12", "1", "nut", "0.5", "2"], ["13", "2", "bolt", "9", nil],
        ["14", "4", nil, nil, "1"], ["15", "5", "gear", "100", "2"],
    ]

    private static let labels: [[String?]] = [["1", "hot"], ["2", "cold"]]

    private static let itemLabels: [[String?]] = [["1", "1"], ["1", "2"], ["2", "1"], ["5", "2"]]

    package static let user = UserContext(
        id: .string("1"),
        name: "Ann",
        roles: ["clerk"],
        attributes: ["Teams": [.integer(2), .integer(9)], "None": []]
    )

    /// The values of a row of a set.
    package func values(_ texts: [String?], _ set: EntitySet) -> [Value] {
        zip(texts, set.type.properties).map { text, property in
            text.flatMap { Value(text: $0, as: property.type) } ?? .null
        }
    }

    /// A value as the column of a property holds it; `nil` when its form cannot hold it.
    package func stored(_ value: Value, _ property: Property) -> SQLValue? {
        if property.storage == .memberName, case .integer(let number) = value,
            let type = property.enumeration.flatMap({ model[enumeration: $0] })
        {
            return .text(type.text(of: number))
        }
        return property.stored(value)
    }

    // MARK: - The evaluator in memory

    /// The identifiers of the items for which the evaluator finds a condition true.
    package func evaluated(_ condition: TypedExpression, user: UserContext = ExpressionWorld.user) throws -> [Int] {
        let now = DateTimeOffset("2026-01-01T00:00:00Z") ?? .earliest
        return try Self.items.compactMap { texts in
            let source = Source(world: self, set: items, row: values(texts, items), user: user)
            guard try ExpressionEvaluator(source: source, user: user, now: now).isTrue(condition) else { return nil }
            guard case .integer(let id) = source.row[0] else { return nil }
            return Int(id)
        }
    }

    /// A row and the ways from it.
    private struct Source: PropertySource {
        let world: ExpressionWorld
        let set: EntitySet
        let row: [Value]
        let user: UserContext

        func entities(of name: String) throws -> [any PropertySource] {
            guard let place = world.model.setIndex(wire: name) else { return [] }
            let set = world.model.sets[place]
            return ExpressionWorld.rows[place].map {
                Source(world: world, set: set, row: world.values($0, set), user: user)
            }
        }

        func value(at path: TypedExpression.Path) throws -> Value {
            guard let first = path.navigations.first else { return row[path.property] }
            var rest = path
            rest.navigations.removeFirst()
            if !rest.guards.isEmpty { rest.guards.removeFirst() }
            guard let next = try step(first, path.guards.first ?? nil, nil).first else { return .null }
            return try next.value(at: rest)
        }

        func entities(at way: TypedExpression.Way) throws -> [any PropertySource] {
            var found = [self]
            for (place, navigation) in way.navigations.enumerated() {
                found = try found.flatMap { source in
                    try source.step(
                        navigation,
                        place < way.guards.count ? way.guards[place] : nil,
                        place < way.linkGuards.count ? way.linkGuards[place] : nil
                    )
                }
            }
            return found
        }

        private func step(
            _ place: Int,
            _ condition: TypedExpression?,
            _ linkCondition: TypedExpression?
        ) throws -> [Source] {
            let navigation = set.type.navigationProperties[place]
            guard let link = navigation.link else {
                return try sources(navigation.targetSet, navigation.constraints, condition)
            }
            guard let links = world.model[set: link.set], let owner = links.type.navigationIndex(wire: link.toOwner),
                let target = links.type.navigationIndex(wire: link.toTarget)
            else { return [] }
            let backwards = links.type.navigationProperties[owner].constraints.map {
                NavigationProperty.Constraint(source: $0.target, target: $0.source)
            }
            return try sources(link.set, backwards, linkCondition).flatMap { try $0.step(target, condition, nil) }
        }

        private func sources(
            _ name: String,
            _ constraints: [NavigationProperty.Constraint],
            _ condition: TypedExpression?
        ) throws -> [Source] {
            guard let place = world.model.setIndex(wire: name) else { return [] }
            let target = world.model.sets[place]
            return try ExpressionWorld.rows[place].map { world.values($0, target) }.filter { other in
                constraints.allSatisfy { row[$0.source] != .null && row[$0.source] == other[$0.target] }
            }.map { Source(world: world, set: target, row: $0, user: user) }.filter { source in
                guard let condition else { return true }
                return try ExpressionEvaluator(source: source, user: user).isTrue(condition)
            }
        }
    }
}
