// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

extension ReadHandler {
    /// The sets and singletons that the user may read.
    ///
    /// Source: OData JSON Format 4.01, section 5.
    func serviceDocument() -> Answer {
        let output = ByteWriter()
        let prefix = call.version == .v40 ? "odata." : ""
        output.append(text: "{")
        if call.format.metadata != .none {
            output.append(text: "\"@\(prefix)context\":")
            output.appendQuoted(call.contextRoot)
            output.append(text: ",")
        }
        output.append(text: "\"value\":[")
        var isFirst = true
        func entry(_ name: String, _ kind: String) {
            // Names are identifiers of ASCII letters and digits: nothing in them needs an escape.
            output.append(text: isFirst ? "" : ",")
            output.append(text: "{\"name\":\"\(name)\",\"kind\":\"\(kind)\",\"url\":\"\(name)\"}")
            isFirst = false
        }
        let model = core.planner.model
        for set in model.sets where !set.isContained && mayRead(set.names.wire) { entry(set.names.wire, "EntitySet") }
        for singleton in model.singletons where mayRead(singleton.set) { entry(singleton.names.wire, "Singleton") }
        for name in functionImports() { entry(name, "FunctionImport") }
        output.append(text: "]}")
        var fields = fields(contentType: call.format.contentType)
        fields[.vary] = "Accept, Prefer, OData-MaxVersion, Authorization"
        return Answer(.ok, fields: fields, body: .bytes(output.bytes))
    }

    /// The function imports that are listed and that the user may call, each once.
    private func functionImports() -> [String] {
        var names: [String] = []
        for operation in core.planner.model.operations where operation.kind == .function {
            guard core.planner.policies.mayCall(operation.names.wire, call.user) else { continue }
            for imported in operation.imports where imported.isInServiceDocument && !names.contains(imported.name) {
                names.append(imported.name)
            }
        }
        return names
    }

    private func mayRead(_ set: String) -> Bool {
        core.planner.policies.access(.read, to: set, for: call.user) != .none
    }

    /// The model as far as the user may use it, in XML or JSON as `$format` or `Accept` ask.
    func metadata() throws -> Answer {
        let format = try MediaTypes.metadata(format: call.options.format, fields: call.fields)
        var fields = fields(contentType: format == .json ? "application/json" : "application/xml")
        let documents = core.shelf.documents(for: call.user)
        var etag = format == .json ? documents.etags.json : documents.etags.xml
        var bytes = format == .json ? documents.metadataJSON : documents.metadataXML
        if let patterns = call.preferences.annotations {
            bytes = core.shelf.metadata(for: call.user, isJSON: format == .json, AnnotationChoice(patterns))
            etag = ETag(of: bytes)
            var applied = call.preferences.none
            applied.annotations = patterns
            fields[.preferenceApplied] = applied.headerValue
        }
        fields[.eTag] = etag.text
        fields[.vary] = "Accept, Prefer, OData-MaxVersion, Authorization"
        return try conditional(etag, Answer(.ok, fields: fields, body: .bytes(bytes)))
    }

    /// The entities of all sets: `$all`.
    ///
    /// A page ends with its set, or where the set's own page ends; the token names the set to go on with, and how many
    /// entities there were before, for `$top`.
    /// Source: OData URL Conventions 4.01, section 4.15.
    func all() throws -> Answer {
        guard call.isPaged else { throw Isolation.unpaged("$all") }
        var others = call.options
        (others.top, others.skipToken, others.format, others.schemaVersion) = (nil, nil, nil, nil)
        (others.custom, others.aliases) = ([:], [:])
        guard others == QueryOptions() else {
            throw ODataError(.notSupported, "Of the entities of all sets, $top alone can be asked for.", target: "$all")
        }
        let sets = core.planner.model.sets.filter { !$0.isContained && mayRead($0.names.wire) }
        var place = 0
        var after: [Value]?
        var told = 0
        let scope = Array("$all \(call.userName ?? "") \(sets.map(\.names.wire))".utf8)
        if let text = call.options.skipToken {
            let token = try core.token(text, option: "$skiptoken")
            guard token.scope == scope, case .page(let values, let set, _, let count) = token.place, set < sets.count
            else {
                throw DeltaHandler.scopeChanged
            }
            place = set
            after = values.isEmpty ? nil : values
            told = count ?? 0
        }
        guard place < sets.count else {
            return Answer(.ok, fields: dataFields(), body: .bytes(Array("{\"value\":[]}".utf8)))
        }
        var options = QueryOptions()
        options.top = call.options.top.map { max(0, $0 - told) }
        var query = try core.planner.query(sets[place], options, paging: paging, for: call.user)
        query.plan.after = after
        query.shape.namesType = true
        let writer = JSONEntityWriter(shape: query.shape, format: call.format, type: sets[place].type)
        writer.begin(.collection, contextRoot: call.contextRoot, fragment: "Collection(Edm.EntityType)")
        let end = try reader.read(query.plan, into: writer)
        core.exceptions.note(writer)
        told += writer.rows
        var next: LinkToken.Place?
        if let top = call.options.top, told >= top {
            next = nil
        } else if let continuation = end.continuation {
            next = .page(after: continuation, delivered: place, start: nil, count: told)
        } else if place + 1 < sets.count {
            next = .page(after: [], delivered: place + 1, start: nil, count: told)
        }
        writer.end(nextLink: next.map { Link(call: call).next(core.text(of: LinkToken(place: $0, scope: scope))) })
        return Answer(.ok, fields: dataFields(isPaged: true), body: .bytes(writer.output.bytes))
    }
}
