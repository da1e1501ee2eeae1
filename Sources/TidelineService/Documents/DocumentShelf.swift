// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineOData

/// The documents of a service for each of its users: made when first asked for, kept by what a user may use.
///
/// Users with the same sets get the same bytes and the same ETags, whatever their roles are called. A set that a user
/// may do nothing with does not exist for it.
final class DocumentShelf: Sendable {
    /// So many different choices of sets and operations are kept; a domain has a few roles.
    private static let limit = 32

    private let model: EntityModel
    private let policies: PolicySet
    private let options: OpenAPIDocument.Options
    private let isWhole: Bool
    private let whole: ServiceDocuments
    private let kept = Mutex<[Set<String>: ServiceDocuments]>([:])

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
        if let known = kept.withLock({ $0[choice] }) { return known }
        // Made outside the lock: two may make the same at once, which harms nobody.
        var shown = model
        shown.operations.removeAll { !calls.contains($0.names.wire) }
        let made = ServiceDocuments(shown.showing(names), options: options)
        kept.withLock { kept in
            if kept.count >= Self.limit { kept = [:] }
            kept[choice] = made
        }
        return made
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
