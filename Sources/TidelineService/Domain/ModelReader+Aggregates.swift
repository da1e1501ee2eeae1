// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Custom aggregates, each as `aggregate` writes it.
extension ModelReader {
    /// `Price mul Quantity with sum as Revenue`, `$count as Number`.
    func aggregate(_ field: YAMLField) throws(DomainError) -> AggregateItem {
        let text = try field.string()
        let query = "$apply=aggregate(\(PercentCoding.encode(queryValue: text)))"
        guard let transformations = try? QueryOptions(parsing: query[...]).apply, transformations.count == 1,
            case .aggregate(let items)? = transformations.first, items.count == 1, let item = items.first,
            item.alias != nil, item.from.isEmpty
        else { throw wrong(field, text) }
        if case .custom = item.source { throw wrong(field, text) }
        return item
    }

    private func wrong(_ field: YAMLField, _ text: String) -> DomainError {
        field.error(
            .value,
            "\(field.path) is \"\(text)\", and not of the form \"Price mul Quantity with sum as Revenue\"."
        )
    }

    /// Checks them once all sets are known.
    func checkAggregates(_ model: EntityModel, _ items: [YAMLField]) throws(DomainError) {
        for (set, item) in zip(model.sets, items) where !set.aggregates.isEmpty {
            let fields = try item.fields(Self.setKeys)["aggregates"]?.items() ?? []
            for (aggregate, field) in zip(set.aggregates, fields) {
                guard let type = aggregate.type(over: set, in: model) else {
                    throw field.error(.value, "\(field.path) does not go with the properties of \(set.names.wire).")
                }
                switch aggregate.alias.flatMap({ set.type.member($0, as: nil) }) {
                case nil: continue
                // A default for that property: then the types have to be the same.
                case .property(let place)? where set.type.properties[place].type == type: continue
                default:
                    throw field.error(.name, "\(field.path) has the name of something else in \(set.names.wire).")
                }
            }
        }
    }
}
