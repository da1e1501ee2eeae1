// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// The documents of a service for each of its users: made when first asked for, kept by what a user may use.
///
/// Users with the same sets get the same bytes and the same ETags, whatever their roles are called. A set that a user
/// may do nothing with does not exist for it.
final class DocumentShelf: Sendable {
    private let model: EntityModel
    private let policies: PolicySet
    private let options: OpenAPIDocument.Options
    private let isWhole: Bool
    private let whole: ServiceDocuments
    /// By the choice of sets and operations; a domain has a few roles.
    private let kept = BoundedCache<Set<String>, ServiceDocuments>(limit: 32)

    /// - Parameter isWhole: whether everybody gets the whole model.
    init(model: EntityModel, policies: PolicySet, options: OpenAPIDocument.Options, isWhole: Bool) {
        self.model = model
        self.policies = policies
        self.options = options
        self.isWhole = isWhole || policies.isOpen
        whole = ServiceDocuments(model, options: options)
    }

    func documents(for user: UserContext) -> ServiceDocuments {
        if isWhole { return whole }
        let names = Set(model.sets.map(\.names.wire).filter { policies.mayUse($0, user) })
        let operations = Set(model.operations.map(\.names.wire))
        let calls = operations.filter { policies.mayCall($0, user) }
        if names.count == model.sets.count, calls.count == operations.count { return whole }
        let choice = names.union(calls.map { "\($0)()" })
        return kept.value(for: choice) {
            var shown = model
            shown.operations.removeAll { !calls.contains($0.names.wire) }
            return ServiceDocuments(shown.showing(names), options: options)
        }
    }

    /// The metadata for a user with the annotations alone that are asked for: made anew, for every client may ask for
    /// others.
    func metadata(for user: UserContext, isJSON: Bool, _ choice: AnnotationChoice) -> [UInt8] {
        let model = documents(for: user).model
        return isJSON
            ? CSDLJSON.write(model, capabilities: options.capabilities, annotations: choice)
            : CSDLXML.write(model, capabilities: options.capabilities, annotations: choice)
    }
}

extension PolicySet {
    /// Whether a user may do anything with entities of a set.
    func mayUse(_ set: String, _ user: UserContext) -> Bool {
        Policy.Operation.allCases.contains { access($0, to: set, for: user) != .none }
    }
}
