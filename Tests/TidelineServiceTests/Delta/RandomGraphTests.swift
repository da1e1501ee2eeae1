// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// Mirrors of expanded queries in version 4.0, whose deltas are flat: entities, links and deleted links.
///
/// The seeds are those of ``RandomMirrorTests``.
struct RandomGraphTests {
    static let queries = [
        "Clients?$expand=Orders", "Orders?$expand=Client", "Orders?$expand=Client,Lines,Tags",
        "Clients?$expand=Orders($filter=Total%20gt%204;$expand=Lines)", "Lines?$expand=Order($expand=Client)",
        "Tags?$expand=Orders", "Orders?$filter=Total%20gt%203&$expand=Tags($filter=Word%20ne%20'w1')",
        "Orders/Stand.Rush?$expand=Client", "Clients(1)/Orders?$expand=Lines",
    ]

    /// Where each navigation property leads, and the key of each set.
    private static let targets = [
        "Orders": "Orders", "Client": "Clients", "Lines": "Lines", "Tags": "Tags", "Order": "Orders",
    ]
    private static let keys = ["Orders": "OrderId", "Clients": "ClientId", "Lines": "LineId", "Tags": "TagId"]

    /// The rows of the result, all entities by their URLs, and the links between them.
    private struct Graph: Equatable {
        var rows: Set<String> = []
        var entities: [String: [String: JSONValue]] = [:]
        var links: Set<[String]> = []

        /// Takes an entity with what stands in it.
        mutating func add(_ value: JSONValue, of set: String) -> String? {
            guard case .object(let members) = value, let key = keys[set],
                case .number(let number) = value.member([key])
            else { return nil }
            let url = "\(set)(\(number))"
            var own: [String: JSONValue] = [:]
            for member in members where !member.name.hasPrefix("@odata.context") {
                guard let target = targets[member.name] else {
                    own[member.name] = member.value
                    continue
                }
                var inner: [JSONValue] = []
                if case .array(let items) = member.value { inner = items }
                if case .object = member.value { inner = [member.value] }
                for item in inner {
                    if let other = add(item, of: target) { links.insert([url, member.name, other]) }
                }
            }
            entities[url] = own
            return url
        }

        /// Takes an item of a flat delta.
        mutating func apply(_ item: JSONValue, of set: String) {
            func text(_ name: String) -> String {
                guard case .string(let text) = item.member([name]) else { return "" }
                return text
            }
            let context = text("@odata.context")
            let link = [text("source"), text("relationship"), text("target")]
            if context.hasSuffix("/$deletedLink") {
                links.remove(link)
            } else if context.hasSuffix("/$link") {
                links.insert(link)
            } else if context.hasSuffix("/$deletedEntity") {
                rows.remove(text("id"))
            } else if context.hasSuffix("/$entity") {
                _ = add(item, of: String(context.dropFirst().prefix { $0 != "/" }))
            } else if let url = add(item, of: set) {
                rows.insert(url)
            }
        }

        /// What can be reached from the rows.
        var reachable: Graph {
            var found = Graph(rows: rows)
            var next = Array(rows)
            while let url = next.popLast() {
                guard found.entities[url] == nil else { continue }
                found.entities[url] = entities[url] ?? [:]
                for link in links where link[0] == url {
                    found.links.insert(link)
                    next.append(link[2])
                }
            }
            return found
        }
    }

    private static func set(_ query: String) -> String {
        query.hasPrefix("Clients(1)/Orders") ? "Orders" : String(query.prefix { $0 != "?" && $0 != "/" })
    }

    private static func link(_ text: String, _ name: String) -> String? {
        guard let start = text.firstRange(of: "\"@odata.\(name)\":\"")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "\"" })
    }

    /// Loads a query, or follows its link; `nil` when that cannot be done.
    private static func read(
        _ graph: Graph,
        _ path: String,
        _ query: String,
        _ run: inout RandomMirrorTests.Run,
        size: Int,
        isAlone: Bool
    ) -> (graph: Graph, link: String)? {
        var graph = graph
        var path = path
        while true {
            let reply = run.stand.get(
                path,
                ["OData-MaxVersion": "4.0", "Prefer": "odata.track-changes, odata.maxpagesize=\(size)"]
            )
            guard reply.status == 200 else {
                #expect(reply.status == 410 || reply.status == 404, "\(query): \(reply.text)")
                return nil
            }
            for item in RandomMirrorTests.Run.items(reply.text) { graph.apply(item, of: set(query)) }
            if let next = link(reply.text, "nextLink") {
                path = next
                if !isAlone { run.change() }
                continue
            }
            // What no link leads to any more is followed no longer, so it is forgotten with its own links.
            return link(reply.text, "deltaLink").map { (graph.reachable, $0) }
        }
    }

    @Test(.covers("OD-1.7.12"), arguments: Stand.Kind.allCases, RandomMirrorTests.seeds)
    func `a graph that follows flat deltas equals a fresh load`(kind: Stand.Kind, seed: UInt64) throws {
        var run = RandomMirrorTests.Run(try RandomMirrorTests.stand(kind), seed)
        for _ in 0..<60 { run.change() }
        var followed = 0
        for query in Self.queries {
            let first = Self.read(Graph(), query, query, &run, size: run.number(2...5), isAlone: false)
            guard var mirror = first else { continue }
            for _ in 0..<8 {
                for _ in 0..<run.number(1...6) { run.change() }
                let size = run.number(1...9)
                guard let next = Self.read(mirror.graph, mirror.link, query, &run, size: size, isAlone: false),
                    let settled = Self.read(next.graph, next.link, query, &run, size: 1_000, isAlone: true),
                    let fresh = Self.read(Graph(), query, query, &run, size: 1_000, isAlone: true)
                else { break }
                followed += 1
                let (held, wanted) = (settled.graph, fresh.graph)
                guard held == wanted else {
                    Issue.record("seed \(seed) on \(kind): \(query) has \(held), a fresh load \(wanted)")
                    return
                }
                mirror = settled
            }
        }
        #expect(followed > 30, "seed \(seed): \(followed)")
    }
}
