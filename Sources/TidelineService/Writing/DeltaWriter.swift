// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes many entities of a set by one delta: PATCH of the set.
///
/// All or nothing; with `continue-on-error` each change for itself, and those that failed are told.
/// Source: OData Protocol 4.01, section 11.4.4.
struct DeltaWriter {
    let rows: RowWriter
    let tree: TreeWriter
    let links: LinkWriter

    func run(_ collection: Resource.Collection) throws {
        guard collection.restriction == nil else {
            throw ODataError(.notSupported, "A delta is sent to an entity set, not to a part of one.")
        }
        try rows.mayWrite(.update, collection.set)
        let set = collection.set
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: set)
        try write.checkJSON()
        let delta = try read(set)
        let continues = rows.call.preferences.continuesOnError ?? false
        var failures: [DeltaFailure] = []
        for item in delta.items {
            guard continues else {
                try run(item)
                continue
            }
            let touched = rows.step.touched.count
            do {
                try rows.writer.savepoint {
                    try run(item)
                    try rows.checkRules(rows.step.touched[touched...])
                }
            } catch {
                rows.step.touched.removeLast(rows.step.touched.count - touched)
                failures.append(try failure(item, error))
            }
        }
        rows.step.effect = .updated
        rows.step.reply = failures.isEmpty ? .changes(set) : .failures(failures, set)
    }

    private func read(_ set: EntitySet) throws(ODataError) -> DeltaBody {
        if let delta = try ReadBody.delta(rows.call, of: set) { return delta }
        let version = try ODataVersion.ofBody(rows.call.fields)
        let reader = DeltaBodyReader(model: rows.core.planner.model, set: set, version: version)
        return try reader.read(
            rows.call.body,
            limit: rows.core.planner.limits.batchRequests,
            continuesOnError: rows.call.preferences.continuesOnError ?? false
        )
    }

    private func failure(_ item: DeltaBody.Item, _ error: any Error) throws -> DeltaFailure {
        let problem = try GroupWriter.answerable(error)
        switch item {
        case .addedLink: return DeltaFailure(operation: "link", error: problem)
        case .deletedLink: return DeltaFailure(operation: "unlink", error: problem)
        case .entity(let name, let body), .unreadable(let name, let body, _):
            var (id, isThere) = (body.id, false)
            if let set = rows.core.planner.model[named: name],
                case .named(let found, let row)? = try? tree.locate(body, in: set)
            {
                (id, isThere) = (rows.call.url(of: found.set, found.key), row != nil)
            }
            let operation = body.removal != nil ? "delete" : isThere ? "update" : "insert"
            return DeltaFailure(id: id, operation: operation, contentID: body.contentID, error: problem)
        }
    }

    private func run(_ item: DeltaBody.Item) throws {
        switch item {
        case .unreadable(_, _, let error): throw error
        case .entity(let name, let body):
            guard let set = rows.core.planner.model[named: name] else { return }
            try run(body, set)
        case .addedLink(let link):
            let (source, place) = try end(of: link)
            guard let target = link.target else {
                throw ODataError(.invalidBody, "A link has no target.", target: "target")
            }
            try links.add(source, place, to: target, RowWriter.Conditions())
        case .deletedLink(let link):
            let (source, place) = try end(of: link)
            let isCollection = source.set.type.navigationProperties[place].isCollection
            guard link.target != nil || !isCollection else {
                throw ODataError(.invalidBody, "A deleted link has no target.", target: "target")
            }
            try links.remove(source, place, nil, id: isCollection ? link.target : nil, RowWriter.Conditions())
        }
    }

    private func run(_ body: EntityBody, _ set: EntitySet) throws {
        let conditions = RowWriter.Conditions(ifMatch: body.etag)
        switch try tree.locate(body, in: set) {
        case .named(let entity, _?):
            guard let current = try rows.admit(body.removal == nil ? .update : .delete, entity, conditions) else {
                throw ODataError.absentEntity(set.names.wire)
            }
            if body.removal != nil { return try rows.delete(entity) }
            try tree.update(body, entity, current, replaces: false)
        case .named(let entity, nil):
            guard body.removal == nil, !set.type.hasGeneratedKey else { throw ODataError.absentEntity(set.names.wire) }
            if body.etag != nil {
                throw ODataError(
                    service: ServiceCode.preconditionFailed,
                    "The entity is not there.",
                    target: "@etag"
                )
            }
            _ = try tree.insert(body, into: set, key: entity.key)
        case .unnamed:
            guard body.removal == nil else {
                throw ODataError(.invalidBody, "A removed entity has neither id nor key.", target: "@id")
            }
            _ = try tree.insert(body, into: set)
        }
    }

    /// The entity and the navigation property that a link begins at.
    private func end(of link: DeltaBody.Link) throws -> (Resource.Entity, Int) {
        let missing = ODataError(
            service: ServiceCode.missingReference,
            "The source of a link does not exist.",
            target: "source"
        )
        guard let path = try? Address(rows.call.root).relative(link.source),
            let target = try? RequestTarget(parsing: path),
            case .entity(let source)? = try? rows.resolver.resolve(target.path),
            try rows.resolver.visible(source) != nil
        else { throw missing }
        guard let place = source.set.type.navigationIndex(wire: link.relationship) else {
            throw ODataError(
                .invalidBody,
                "\(source.set.names.wire) has no navigation property \(link.relationship.prefix(128)).",
                target: "relationship"
            )
        }
        return (source, place)
    }
}
