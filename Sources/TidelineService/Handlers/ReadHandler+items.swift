// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData

/// Query options after a property: what they choose of a collection, of JSON and of a complex value.
///
///     Items(1)/Tags?$filter=length($this) gt 1&$orderby=$this&$top=3&$count=true      Items(1)/Address?$select=City
///
/// Source: OData Protocol 4.01, sections 11.2.4.1 and 11.2.6.
extension ReadHandler {
    /// What the options of the request choose in a property with JSON; `nil` without any, and for other properties.
    func choice(
        of place: Int,
        in entity: Resource.Entity,
        counts: Bool = false
    ) throws(ODataError) -> ItemChoice? {
        switch entity.set.type.properties[place].structure {
        case .collection?, .complex?: break
        case .dynamic?, nil: return nil
        }
        var options = QueryOptions()
        let asked = call.options
        (options.filter, options.search, options.compute) = (asked.filter, asked.search, asked.compute)
        if !counts {
            (options.orderBy, options.skip, options.top) = (asked.orderBy, asked.skip, asked.top)
            (options.select, options.expand, options.count) = (asked.select, asked.expand, asked.count)
        }
        guard options != QueryOptions() else { return nil }
        if counts { options.count = true }
        return try ItemChoice(options, of: place, in: entity.set, core.planner, call.user)
    }

    /// The columns of a complex property that `$select` names; `nil` for all.
    func selected(in place: Int, of entity: Resource.Entity) throws(ODataError) -> Set<Int>? {
        guard let items = call.options.select, !items.contains(.all) else { return nil }
        let path = entity.set.type.path(ofComplex: place).split(separator: "/").map(String.init)
        let inner = items.compactMap { item -> SelectItem? in
            switch item {
            case .property(let name): .path(path + [name], options: QueryOptions())
            case .path(let names, let options): .path(path + names, options: options)
            case .all, .operations, .function: nil
            }
        }
        let selection = try Selection(inner, entity.set, as: entity.derivedType, in: core.planner.model)
        guard selection.itemOptions.isEmpty else {
            throw ODataError(.notSupported, "$select ends at the columns of a complex property.", target: "$select")
        }
        return Set(selection.columns)
    }

    /// `/$count` of a property that holds a collection.
    func itemCount(_ entity: Resource.Entity, _ place: Int) throws -> Answer {
        let property = entity.set.type.properties[place]
        let choice = try choice(of: place, in: entity, counts: true)
        var (values, _) = try values([place], of: entity)
        var count = 0
        if let choice {
            count = try choice.choose(&values[0], property, call.format) ?? 0
        } else if case .string(let text) = values[0] {
            guard let items = JSONArrayCount.of(text) else { throw ItemChoice.unreadable(property.names.wire) }
            count = items
        }
        return Answer(.ok, fields: fields(contentType: "text/plain"), body: .bytes(Array("\(count)".utf8)))
    }
}

extension ItemChoice {
    /// Chooses in the value of a property.
    ///
    /// - Returns: how many items there are, where that is told.
    func choose(_ value: inout Value, _ property: Property, _ format: JSONFormat) throws(ODataError) -> Int? {
        var text = "null"
        if case .collection? = property.structure { text = "[]" }
        if case .string(let stored) = value { text = stored }
        guard let result = apply(text, format) else { throw Self.unreadable(property.names.wire) }
        if result.text != "null" { value = .string(result.text) }
        return result.count
    }

    static func unreadable(_ name: String) -> ODataError {
        ODataError(
            service: ServiceCode.unreadableValue,
            "A stored value is not what its type says.",
            target: name
        )
    }
}
