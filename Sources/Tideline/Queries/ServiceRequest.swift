// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

/// A query as a service is asked it: its options, and the plan whose rows the answer has.
struct ServiceRequest: Sendable {
    var set: EntitySet
    var options = QueryOptions()
    var plan: ReadPlan

    /// The link from the service root.
    var link: String { options.text.isEmpty ? set.names.wire : "\(set.names.wire)?\(options.text)" }

    /// What the rows of the answer look like.
    var shape: RowShape {
        RowShape(
            set,
            columns: plan.columns,
            expansions: plan.expansions.map { expansion in
                let navigation = set.type.navigationProperties[expansion.navigation]
                let inner = ServiceRequest(set: expansion.plan.set, plan: expansion.plan)
                return RowShape.Expansion(
                    name: navigation.names.wire,
                    isCollection: navigation.isCollection,
                    shape: inner.shape
                )
            },
            includesETag: false,
            model: plan.model
        )
    }

    /// Asks for related entities too.
    mutating func expand(_ navigation: String, _ child: ServiceRequest) throws {
        guard let place = set.type.navigationIndex(wire: navigation) else {
            throw ExpressionError(
                .unknownProperty,
                message: "\(set.names.wire) has no relationship \(navigation).",
                target: navigation
            )
        }
        options.expand.append(ExpandItem(navigation: navigation, options: child.options))
        plan.expansions.append(ReadPlan.Expansion(navigation: place, plan: child.plan))
    }
}

extension Query {
    /// The request that asks a service the same.
    ///
    /// - Throws: ``LocalStoreError/Code/unsupported`` for what a device alone can do: the order of a language, properties
    ///   that stay on the device, calculated ones; what the checker throws for a predicate that is none.
    func request() throws -> ServiceRequest {
        let set = Result.entitySet
        let model = EntityModel(namespace: "App", sets: Result.sourceModel.sets.map(\.onService))
        let checker = ExpressionChecker(model: model, set: set.onService)
        // Names that the service does not know are told before it is asked.
        var plan = try plan(checker)
        plan.columns = set.type.wireProperties
        plan.set = set
        var request = ServiceRequest(set: set, plan: plan)
        request.options.filter = filter
        guard searches.allSatisfy({ $0.properties == nil }), !order.contains(where: { $0.collation != nil }),
            conditions.isEmpty
        else {
            throw LocalStoreError(
                .unsupported,
                set: set.names.wire,
                message: "A service orders texts by their bytes, searches what its own model says, and takes no SQL."
            )
        }
        request.options.search = searches.dropFirst().reduce(searches.first?.expression) { all, next in
            all.map { .and($0, next.expression) }
        }
        request.options.orderBy = order.map { OrderByItem($0.expression, isDescending: $0.isDescending) }
        request.options.top = top
        request.options.skip = skip > 0 ? skip : nil
        request.options.select = set.type.wireProperties.map { .property(set.type.properties[$0].names.wire) }
        return request
    }
}

extension EntitySet {
    /// The set as a service may have it: without what is the device's own.
    fileprivate var onService: EntitySet {
        var copy = self
        copy.type.calculatedProperties = []
        for place in copy.type.properties.indices where copy.type.properties[place].isLocalOnly {
            // The place stays, the name goes.
            copy.type.properties[place].names.wire = ""
        }
        if copy.type.searchProperties.isEmpty {
            // The service says what it searches.
            copy.type.searchProperties = copy.type.properties.indices.filter {
                copy.type.properties[$0].type == .string
            }
        }
        return copy
    }
}
