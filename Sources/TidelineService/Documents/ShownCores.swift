// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The service as its users see it: to each the sets that it may do nothing with do not exist.
///
/// Users of the same roles see the same.
final class ShownCores: Sendable {
    private let whole: Core
    private let isWhole: Bool
    private let shown = ByRights<Core>()

    init(_ core: Core) {
        whole = core
        isWhole = core.planner.policies.isOpen || core.domain.tellsWholeModel
    }

    /// What a user sees.
    func core(for user: UserContext) -> Core {
        isWhole ? whole : shown.value(for: user) { shown(to: user) }
    }

    private func shown(to user: UserContext) -> Core {
        let model = whole.planner.model
        let usable = Set(model.sets.map(\.names.wire).filter { whole.planner.policies.mayUse($0, user) })
        let names = Set(model.showing(usable).sets.map(\.names.wire))
        guard names.count < model.sets.count else { return whole }
        var (domain, planner) = (whole.domain, whole.planner)
        planner.model = model.hiding(allBut: names) { [signer = whole.signer] name in
            // No name of a URL or of a body begins so.
            "\u{1}" + signer.sign(Array("hidden \(name)".utf8))
        }
        domain.model = planner.model
        return whole.replacing(domain: domain, planner: planner)
    }
}
