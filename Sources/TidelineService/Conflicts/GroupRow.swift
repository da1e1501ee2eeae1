// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a group has done to one row so far, for the conflict log.
///
///     before the group     (Title ten, Total 100)
///     PATCH Title one      (Title one, Total 100)    lost: Title ten
///     a trigger            (Title one, Total 101)
///     PATCH both           (Title two, Total 7)      lost: Total 100, for the rest is the group's own
///
/// Whatever a trigger makes of the row between, others have lost what stood before the group. What one made of it before the
/// first change that the group names, as where a line changes the total of its order, counts as what stood before: to read
/// each row ahead would cost every group of clients that name no versions.
struct GroupRow {
    /// Whether the group has done nothing to it.
    private(set) var isNew = true
    /// Whether the client knew the row as it was before the group, or the group has made it: then nobody else's value is
    /// replaced unseen.
    var isKnown = false
    /// The places that the group has written.
    var written: Set<Int> = []
    /// The row as the first change that replaced something found it, by place.
    private var before: [Value]?

    /// What others lose by a change: of the properties that the group had not written, what stood before it; `nil` where
    /// that is nothing.
    ///
    /// A deletion replaces the whole row, which can be made again of nothing less.
    func lost(to replaced: ReplacedValues) -> ReplacedValues? {
        let lost = before.map(replaced.replacing) ?? replaced
        guard lost.after != nil else {
            return written.isSuperset(of: replaced.entity.set.type.properties.indices) ? nil : lost
        }
        let rest = lost.only { !written.contains($0) }
        return rest.isEmpty ? nil : rest
    }

    /// Notes a change that replaced something.
    mutating func add(_ replaced: ReplacedValues) {
        isNew = false
        // What has its value of before again is as if the group had not written it: the next change may lose it.
        let lost = before.map(replaced.replacing) ?? replaced
        before = before ?? replaced.row
        written.formUnion(lost.before.map(\.place))
    }

    /// Notes what a step did to the row.
    ///
    /// - Parameter isNamed: whether the row is the one that the step is about.
    mutating func add(_ effect: Step.Effect, of step: Step, isNamed: Bool) {
        let isSeen = isNamed && !step.seen.isEmpty && (isNew || step.wasOfItsVersion)
        if isSeen || effect == .inserted { isKnown = true }
        isNew = false
    }
}
