// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineOData

/// Whole entity sets, with the definitions of their fields.
extension ODataClient {
    /// All rows of an entity set.
    ///
    /// - Parameter model: what ``model()`` gave, where it is at hand; else it is asked for first.
    /// - Throws: ``ClientError``: `notFound` when the service has no such set.
    public func fetch(_ set: String, model: EntityModel? = nil) async throws -> FetchedTable {
        let tables = try await fetch([set], model: model)
        guard let table = tables[set] else { throw Self.noSet(set) }
        return table
    }

    /// All rows of several entity sets, in one HTTP request, by the names of the sets.
    ///
    /// The rows are those of one moment where the service can do that. A service that cuts its answers into pages is
    /// asked again, once for the next pages of all sets together.
    ///
    /// - Parameter model: what ``model()`` gave, where it is at hand; else it is asked for first.
    /// - Throws: ``ClientError``: `notFound` when the service has no set of a name; nothing is returned then.
    public func fetch(_ sets: [String], model: EntityModel? = nil) async throws -> [String: FetchedTable] {
        let model = if let model { model } else { try await self.model() }
        var tables: [String: FetchedTable] = [:]
        var sinks: [String: EntityCollector] = [:]
        var links: [(set: String, link: String)] = []
        for name in sets where tables[name] == nil {
            guard let set = model[set: name] else { throw Self.noSet(name) }
            let shape = RowShape(set)
            let fields = set.type.wireProperties.map { set.type.properties[$0] }
            tables[name] = FetchedTable(set: set, fields: fields, rows: [])
            sinks[name] = EntityCollector(columns: shape.columns)
            links.append((name, PercentCoding.encode(segment: name)))
        }
        while !links.isEmpty {
            let answers = try await read(links.map(\.link))
            var next: [(set: String, link: String)] = []
            for ((name, link), answer) in zip(links, answers) {
                guard let set = tables[name]?.set, let sink = sinks[name] else { continue }
                let page = try Self.readable { () throws(ODataError) in
                    try JSONEntityReader(shape: RowShape(set)).readPage(answer.body, into: sink)
                }
                guard let more = page.nextLink else { continue }
                let address = try address(of: more, context: page.context, request: link)
                guard address != link else {
                    throw Self.unreadable(ODataError(.invalidBody, "The pages of the answer do not end."))
                }
                next.append((name, address))
            }
            links = next
        }
        for (name, sink) in sinks { tables[name]?.rows = sink.rows.map(\.values) }
        return tables
    }

    private static func noSet(_ name: String) -> ClientError {
        ClientError(.notFound, "The service has no entity set \(name).", advice: "Check the name.")
    }
}
