// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import Testing

extension World {
    /// The plan of the entity that has a key.
    fileprivate func plan(_ set: String, of key: [Value]) throws -> ReadPlan {
        let type = try self.set(set).type
        var plan = try plan(set, top: 1)
        for (value, place) in zip(key, type.key) {
            let kind = type.properties[place].type
            let path = TypedExpression(node: .path(.init(property: place)), type: kind)
            let literal = TypedExpression(node: .literal(value), type: kind)
            let isEqual = TypedExpression(node: .binary(.equal, path, literal), type: .boolean)
            plan.filter =
                plan.filter.map { TypedExpression(node: .binary(.and, $0, isEqual), type: .boolean) } ?? isEqual
        }
        return plan
    }
}

extension StoreRule {
    /// Plans of one whole entity, which a store may answer by a way of its own.
    static let entities: [StoreRule] = [
        StoreRule("a plan of one key reads the entity with its version, or nothing") { world throws in
            let bolt = StoreFixture.product(1)
            let wanted: [(set: String, key: [Value], line: String?)] = [
                ("Orders", [.integer(1)], "1|a|k1|2|10.5|2024-01-01T10:00:00Z"), ("Orders", [.integer(99)], nil),
                ("Clients", [.string("É")], "É|Zoë|4.5"), ("Clients", [.string("E\u{301}")], nil),
                ("Clients", [.string("K1")], nil), ("Clients", [.string("k1 ")], nil),
                ("Lines", [.integer(6), .integer(10)], "6|10|\(bolt)|2|null"),
                ("Lines", [.integer(10), .integer(6)], nil),
                ("Products", [.guid(text: bolt)], "\(bolt)|Bolt|S|0.05|Bolt!"),
                ("BigOrders", [.integer(2)], "2|b|250"), ("BigOrders", [.integer(1)], nil),
            ]
            for (set, key, line) in wanted {
                let plan = try world.plan(set, of: key)
                #expect(plan.wholeEntity == Key(key))
                let (recorder, end) = try world.page(plan)
                #expect(recorder.lines == (line.map { [$0] } ?? []), "\(set) \(key)")
                #expect(end.rows == (line == nil ? 0 : 1))
                #expect(end.continuation == nil)
                let entity = try world.store.read { try $0.entity(Key(key), in: world.set(set)) }
                #expect(recorder.etags == (entity.map { [$0.etag] } ?? []), "\(set) \(key)")
            }
        },
        StoreRule("a plan of one key that asks for something else as well reads that") { world throws in
            let first = try world.plan("Orders", of: [.integer(1)])
            let changes: [((inout ReadPlan) throws -> Void, [String])] = [
                ({ $0.columns = [try world.place("Number", of: "Orders")] }, ["a"]), ({ $0.skip = 1 }, []),
                ({ $0.top = 0 }, []), ({ $0.filter = nil }, ["1|a|k1|2|10.5|2024-01-01T10:00:00Z"]),
                (
                    {
                        $0.filter = nil
                        $0.orderBy = [try world.sortKey("Total desc", of: "Orders")]
                    }, ["6|f|k1|2|99999999.99|2024-01-01T10:00:00Z"]
                ),
            ]
            for (change, lines) in changes {
                var plan = first
                try change(&plan)
                #expect(try world.lines(plan) == lines)
            }
            let half = Expression.compare("OrderId", .equal, .integer(6))
            #expect(try world.lines(world.plan("Lines", columns: ["Place"], filter: half)) == ["9", "10"])
            #expect(try world.lines(world.plan("Lines", filter: half, top: 1)).first?.hasPrefix("6|9|") == true)
        },
        StoreRule("what was prefetched is told as it is when it is read") { world throws in
            let orders = try world.set("Orders")
            let key = { (id: Int64) in Key([.integer(id)]) }
            let number = try world.place("Number", of: "Orders")
            try world.store.write { writer in
                func read(_ id: Int64) throws -> [String] {
                    let recorder = RowRecorder()
                    _ = try writer.read(world.plan("Orders", of: [.integer(id)]), into: recorder)
                    return recorder.lines.map { String($0.split(separator: "|")[1]) }
                }
                // The key of a new order, which the store makes, is among them.
                let all = ([1, 2, 5] + Array(7...40) + [99]).map { (key: key($0), set: orders) }
                try writer.prefetch(all)
                #expect(try read(2) == ["b"])
                #expect(try read(99) == [])
                #expect(try read(1) == ["a"])
                #expect(try read(1) == ["a"])
                try writer.prefetch(all)
                _ = try writer.update(key(1), [number: .string("z")], in: orders)
                #expect(try read(1) == ["z"])
                struct Undone: Error {}
                #expect(throws: Undone.self) {
                    try writer.savepoint {
                        _ = try writer.update(key(1), [number: .string("y")], in: orders)
                        try writer.prefetch(all)
                        throw Undone()
                    }
                }
                #expect(try read(1) == ["z"])
                try writer.prefetch(all)
                _ = try writer.delete(key(5), in: orders)
                #expect(try read(5) == [])
                try writer.prefetch(all)
                guard case .integer(let made)? = try writer.insert([number: .string("n")], into: orders).values.first
                else {
                    Issue.record("A new order has no number.")
                    return
                }
                #expect(all.contains { $0.key == key(made) })
                #expect(try read(made) == ["n"])
            }
        },
    ]
}
