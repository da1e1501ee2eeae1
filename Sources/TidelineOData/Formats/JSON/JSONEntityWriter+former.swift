// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows of a delta whose dynamic properties went.
extension JSONEntityWriter {
    /// The row at hand, where it is one of a delta.
    private var former: (members: FormerMembers, key: Key)? {
        guard let formerMembers, unsafe outer.isEmpty else { return nil }
        return (formerMembers, Key(capture.key))
    }

    /// Tells that an entity is gone that comes again at once: what a client may hold of it nobody knows.
    func writeReplaced() {
        guard let former, frame.shape.columns.contains(where: { $0.shape.form == .dynamic && $0.shape.members == nil }),
            former.members.isUnknown(former.key)
        else { return }
        removed(key: former.key, reason: .changed)
    }

    /// Writes null for each dynamic property that a client may hold and that the row has no more, or not.
    ///
    /// - Parameter place: the place of the column with the dynamic properties.
    func writeGone(_ place: Int, _ column: RowShape.Column) {
        guard let former else { return }
        let object = capture.areNull[place] ? [] : capture.bytes(of: place)
        let gone =
            column.members.map { chosen in
                let there = FormerMembers.names(in: object)
                return chosen.filter { !there.contains($0.key) }.map(\.value).sorted()
            } ?? former.members.gone(former.key, now: object)
        for name in gone {
            member(name)
            output.append("null")
        }
    }
}
