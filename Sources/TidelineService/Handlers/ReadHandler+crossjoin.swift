// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// `$crossjoin(A,B)`: each entity of one set with each of the others.
///
///     {"A@navigationLink":"A(1)","B":{…}}       B is expanded
///
/// Source: OData URL Conventions 4.01, section 4.17.
extension ReadHandler {
    func crossjoin(_ sets: [EntitySet]) throws -> Answer {
        let options = call.options
        guard options.search == nil, options.compute.isEmpty, options.deltaToken == nil else {
            throw Self.uncrossed("$search, $compute and $deltatoken")
        }
        let expanded = try expandedMembers(options.expand, of: sets)
        let plan = try core.planner.cross(sets, options, for: call.user)
        if options.apply != nil {
            guard options.select == nil, options.expand.isEmpty else { throw Self.uncrossed("$select beside $apply") }
            return try rows(of: plan, name: "$crossjoin(\(sets.map(\.names.wire).joined(separator: ",")))")
        }
        let shown = try shownMembers(options.select, of: sets)
        var page = plan
        let names = sets.map(\.names.wire)
        let window = "\(options.skip ?? 0) \(options.top ?? -1)"
        let asked = "\(options.filter.map { "\($0)" } ?? "") \(options.orderBy) \(window)"
        let text = "$crossjoin \(call.user.id) \(call.userName ?? "") \(names) \(asked)"
        let scope = Array(ETag(of: Array(text.utf8)).text.utf8)
        var (delivered, count): (Int, Int?) = (0, nil)
        if let text = options.skipToken {
            let token = try core.token(text, option: "$skiptoken")
            guard token.scope == scope, case .page(_, let rows, _, let total) = token.place else {
                throw DeltaHandler.scopeChanged
            }
            (delivered, count) = (rows, total)
        }
        if options.count, count == nil { count = try number(of: plan) }
        let left = options.top.map { max(0, $0 - delivered) } ?? .max
        var limit = pageRows
        let (skip, isBeyond) = (options.skip ?? 0).addingReportingOverflow(delivered)
        page.skip = isBeyond ? .max : skip
        page.top = limit < left ? limit + 1 : left == .max ? nil : left
        let sink = KeySink(page.result.type, columns: Array(page.columns.indices))
        _ = try reader.aggregate(page, into: sink)
        let prefix = call.version == .v40 ? "odata." : ""
        let output = ByteWriter()
        output.append(text: "{")
        if call.format.metadata != .none {
            output.append(text: "\"@\(prefix)context\":")
            output.appendQuoted(call.contextRoot + "#Collection(Edm.ComplexType)")
            output.append(text: ",")
        }
        if options.count, let count { output.append(text: "\"@\(prefix)count\":\(count),") }
        output.append(text: "\"value\":[")
        var known: [EntityKey: [UInt8]] = [:]
        for (place, row) in sink.rows.prefix(limit).enumerated() {
            output.append(text: place == 0 ? "{" : ",{")
            try write(row, of: sets, shown, expanded, prefix, to: output, &known)
            output.append(text: "}")
            // What is expanded stands in every combination: pages end by their bytes too.
            if output.count >= core.planner.limits.pageBytes { limit = place + 1 }
            if place + 1 >= limit { break }
        }
        output.append(text: "]")
        if sink.rows.count > limit {
            // With pages off, what fits in one is still of one moment.
            guard call.isPaged else { throw Isolation.unpaged("A cross join of this size") }
            let place = LinkToken.Place.page(after: [], delivered: delivered + limit, start: nil, count: count)
            output.append(text: ",\"@\(prefix)nextLink\":")
            output.appendQuoted(Link(call: call).next(core.text(of: LinkToken(place: place, scope: scope))))
        }
        output.append(text: "}")
        return Answer(.ok, fields: dataFields(isPaged: call.isPaged), body: .bytes(output.bytes))
    }

    private struct EntityKey: Hashable {
        var set: Int
        var key: Key
    }

    private static func uncrossed(_ what: String) -> ODataError {
        ODataError(.notSupported, "$crossjoin does not take \(what).", target: "$crossjoin")
    }

    /// One combination: what is expanded in line, the others as links.
    private func write(
        _ row: [Value],
        of sets: [EntitySet],
        _ shown: Set<String>,
        _ expanded: [String: QueryOptions],
        _ prefix: String,
        to output: ByteWriter,
        _ known: inout [EntityKey: [UInt8]]
    ) throws {
        var rest = row[...]
        var isFirst = true
        for (place, set) in sets.enumerated() {
            let key = Key(Array(rest.prefix(set.type.key.count)))
            rest = rest.dropFirst(set.type.key.count)
            let name = set.names.wire
            guard shown.contains(name) || expanded[name] != nil else { continue }
            output.append(text: isFirst ? "\"" : ",\"")
            isFirst = false
            guard let options = expanded[name] else {
                output.append(text: "\(name)@\(prefix)navigationLink\":")
                output.appendQuoted(ResourceURL.entity(set: name, key: key, type: set.type))
                continue
            }
            output.append(text: "\(name)\":")
            // The same entity stands in many combinations.
            let bytes = try known[EntityKey(set: place, key: key)] ?? entity(key, of: set, options)
            known[EntityKey(set: place, key: key)] = bytes
            output.append(bytes)
        }
    }

    /// The JSON of an entity, behind its policy.
    private func entity(_ key: Key, of set: EntitySet, _ options: QueryOptions) throws -> [UInt8] {
        let condition = TypedExpression.equal(set.type.key, of: set.type, to: key.values)
        var query = try core.planner.query(set, options, restriction: condition, paging: paging, for: call.user)
        query.plan.pageLimit = .unlimited
        query.plan.top = 1
        let writer = JSONEntityWriter(shape: query.shape, format: call.format, type: set.type)
        query.prepare(writer, core)
        writer.begin(.none, contextRoot: call.contextRoot)
        guard try reader.read(query.plan, into: writer).rows > 0 else { return Array("null".utf8) }
        writer.end()
        core.exceptions.note(writer)
        return writer.output.bytes
    }

    /// The options of the sets that are expanded, by their names.
    private func expandedMembers(
        _ items: [ExpandItem],
        of sets: [EntitySet]
    ) throws(ODataError) -> [String: QueryOptions] {
        var members: [String: QueryOptions] = [:]
        for item in items {
            let names = item.navigation == "*" ? sets.map(\.names.wire) : [item.navigation]
            guard item.prefix.isEmpty, item.cast == nil, item.content == .entities else {
                throw Self.uncrossed("$expand of anything but whole entities")
            }
            var options = item.options
            (options.select, options.expand, options.compute) = (nil, [], [])
            guard options == QueryOptions() else { throw Self.uncrossed("options of $expand for collections") }
            for name in names {
                guard sets.contains(where: { $0.names.wire == name }) else {
                    throw ODataError(.invalidExpand, "\(name) is no set of the cross join.", target: name)
                }
                guard members.updateValue(item.options, forKey: name) == nil || item.navigation == "*" else {
                    throw ODataError(.invalidExpand, "\(name) is expanded twice.", target: "$expand")
                }
            }
        }
        return members
    }

    /// The sets that stand in the rows.
    private func shownMembers(_ items: [SelectItem]?, of sets: [EntitySet]) throws(ODataError) -> Set<String> {
        let all = Set(sets.map(\.names.wire))
        guard let items else { return all }
        var shown: Set<String> = []
        for item in items {
            switch item {
            case .all: return all
            case .property(let name) where all.contains(name): shown.insert(name)
            case .path(let path, let options)
            where path.count == 1 && options == QueryOptions() && all.contains(path[0]):
                shown.insert(path[0])
            default:
                throw ODataError(
                    .notSupported,
                    "$select of a cross join names its sets; their properties are selected inside $expand.",
                    target: "$select"
                )
            }
        }
        return shown
    }
}
