// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What becomes of one property that both sides changed.
package enum ConflictDecision: Hashable, Sendable {
    /// The server's value.
    case theirs
    /// This device's value.
    case mine
    /// A value that is neither.
    case joined(Value)
    /// A person decides.
    case open
    /// Both sides made the same change.
    case same
}

/// Decides by policies; a pure function but for what the functions of the app do.
package struct ConflictDecider: Sendable {
    /// The functions that the app registered, by their names.
    package var functions: [String: ConflictFunction]

    package init(functions: [String: ConflictFunction] = [:]) { self.functions = functions }

    /// - Parameters:
    ///   - change: the three values; both sides' differ from the base. Where they are equal, a counter alone does
    ///     anything: two that took one each took two.
    ///   - property: what the values are of: a value that it may not have is none.
    package func decide(
        _ policy: ConflictPolicy,
        _ change: ConflictingChange,
        _ property: Property
    ) -> ConflictDecision {
        let (base, mine, theirs) = (change.base, change.mine, change.theirs)
        guard mine != theirs || policy.rule == .counter else { return .same }
        let found: Value?
        switch policy.rule {
        case .serverWins: return .theirs
        // Sent now, the change of this device is the later commit.
        case .clientWins, .lastEdit: return .mine
        case .ask: return .open
        case .counter: found = CounterRule.join(base, mine, theirs)
        case .minimum: found = ExtremeRule.lesser(mine, theirs)
        case .maximum: found = ExtremeRule.greater(mine, theirs)
        case .union: found = UnionRule.join(base, mine, theirs, isCollection: property.type == .string)
        case .words: found = TextRule.join(base, mine, theirs, by: .words)
        case .lines: found = TextRule.join(base, mine, theirs, by: .lines)
        case .custom(let name): found = functions[name]?(change)
        }
        guard let found else { return decide(policy.fallback) }
        if found == theirs { return .theirs }
        if found == mine { return .mine }
        return property.violations(of: found).isEmpty ? .joined(found) : decide(policy.fallback)
    }

    private func decide(_ fallback: ConflictPolicy.Fallback) -> ConflictDecision {
        switch fallback {
        case .serverWins: .theirs
        case .clientWins, .lastEdit: .mine
        case .ask: .open
        }
    }
}
