// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// `/$ref`: entities by their URLs alone.
///
/// Source: OData JSON Format 4.01, section 14; OData Protocol 4.01, sections 10.12, 10.13 and 11.2.8.
extension ReadHandler {
    /// The references of a navigation property.
    func reference(_ entity: Resource.Entity, _ navigation: Int, _ target: Key?) throws -> Answer {
        let set = entity.set.type.navigationProperties[navigation].targetSet
        let predicate = target.flatMap { key in core.planner.model[set: set].map { KeyPredicate(key, of: $0.type) } }
        switch try resolver.follow(navigation, from: entity, predicate) {
        case .collection(let collection): return try references(collection)
        case .entity(let entity): return try reference(entity)
        default: return Answer(.noContent, fields: fields())
        }
    }

    func references(_ collection: Resource.Collection) throws -> Answer {
        var options = call.options
        options.select = []
        options.expand = []
        let query = try self.query(of: collection, options, paging: paging)
        let token = try call.options.skipToken.map { text throws(ODataError) in
            try core.token(text, option: "$skiptoken")
        }
        return try page(query, collection, after: token, isReference: true)
    }

    func reference(_ entity: Resource.Entity) throws -> Answer {
        guard try resolver.visible(entity) != nil else { throw absent(entity) }
        var shape = RowShape(entity.set, columns: entity.set.type.key, includesETag: false, model: core.planner.model)
        shape.singleton = entity.singleton
        shape.containedIn = entity.containedIn
        shape.standsAt = entity.standsAt
        let writer = JSONEntityWriter(shape: shape, format: call.format, isReference: true)
        writer.begin(.entity, contextRoot: call.contextRoot, fragment: "$ref")
        writer.beginRow()
        for value in entity.key.values { writer.push(value) }
        writer.endRow(etag: nil)
        writer.end()
        return Answer(.ok, fields: dataFields(), body: .bytes(writer.output.bytes))
    }
}
