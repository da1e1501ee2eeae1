// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Carries out single changes of a delta.
struct DeltaItemWriter {
    let rows: RowWriter
    let tree: TreeWriter
    let links: LinkWriter

    func run(_ item: DeltaBody.Item) throws {
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
        switch try tree.locate(body, in: set) {
        case .named(let entity, _?):
            let parked = rows.step.parked[RowAddress(entity)]
            // Its version was looked at before values of it were set aside.
            let conditions = RowWriter.Conditions(ifMatch: parked == nil ? body.etag : nil)
            guard let current = try rows.admit(body.removal == nil ? .update : .delete, entity, conditions) else {
                throw ODataError.absentEntity(set.names.wire)
            }
            if body.removal != nil { return try rows.delete(entity) }
            try tree.update(body, entity, parked?.row ?? current, replaces: false)
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

    // MARK: What is told of it

    /// The row that a change names; `nil` for a link, and for an entity whose key the database gives.
    func address(of item: DeltaBody.Item) throws -> RowAddress? {
        guard let (body, set) = entity(of: item) else { return nil }
        return try tree.named(body, in: set).map(RowAddress.init)
    }

    /// The row that a change updates, as it is now; `nil` where it does anything else.
    func updated(by item: DeltaBody.Item) throws -> (Resource.Entity, StoredEntity)? {
        guard let (body, set) = entity(of: item), body.removal == nil,
            case .named(let entity, let current?) = try tree.locate(body, in: set)
        else { return nil }
        return (entity, current)
    }

    private func entity(of item: DeltaBody.Item) -> (EntityBody, EntitySet)? {
        switch item {
        case .addedLink, .deletedLink: nil
        case .entity(let name, let body), .unreadable(let name, let body, _):
            rows.core.planner.model[named: name].map { (body, $0) }
        }
    }

    /// The failure of a change, as an answer tells it.
    ///
    /// - Throws: the error itself when it is not the change's fault.
    func failure(_ item: DeltaBody.Item, _ error: any Error) throws -> DeltaFailure {
        let problem = try GroupWriter.answerable(error)
        switch item {
        case .addedLink: return DeltaFailure(operation: "link", error: problem)
        case .deletedLink: return DeltaFailure(operation: "unlink", error: problem)
        case .entity(_, let body), .unreadable(_, let body, _):
            var (id, isThere) = (body.id, false)
            if let (_, set) = entity(of: item), case .named(let found, let row)? = try? tree.locate(body, in: set) {
                let place = (try? rows.resolver.placed(found)) ?? found
                (id, isThere) = (rows.call.root + place.url, row != nil)
            }
            let operation = body.removal != nil ? "delete" : isThere ? "update" : "insert"
            return DeltaFailure(id: id, operation: operation, contentID: body.contentID, error: problem)
        }
    }
}
