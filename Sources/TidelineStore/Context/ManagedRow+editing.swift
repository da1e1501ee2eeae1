// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Edit mode: changes that are tried out, and posted or cancelled.
extension ManagedRow {
    /// Whether edits were begun and neither posted nor cancelled.
    public var isEditing: Bool { edit != nil }

    /// Begins edits that can be cancelled.
    ///
    /// They show in this context at once, but no save takes them along before they are posted. Nothing when they were
    /// begun already.
    public func beginEditing() throws {
        _ = try openContext()
        try load()
        guard presence != .deleted else {
            throw LocalStoreError(.noSuchEntry, set: set.name, message: "An object that is deleted cannot be edited.")
        }
        guard edit == nil else { return }
        edit = EditMode(before: values, isNew: false)
    }

    /// Ends edit mode and keeps the edits, as one step of undo; a new object is added with it.
    public func post() throws {
        let context = try openContext()
        guard let edit else { return }
        self.edit = nil
        if edit.isNew {
            context.record(.inserted(self))
        } else {
            let assignments = values.indices.filter { values[$0] != edit.before[$0] }.map {
                Change.Assignment(property: $0, before: edit.before[$0], after: values[$0])
            }
            if !assignments.isEmpty { context.record(.assigned(self, assignments)) }
        }
        context.updateMembership(self)
    }

    /// Ends edit mode and takes the edits back: what was pending before is pending again, and a new object is gone.
    public func cancelEditing() throws {
        let context = try openContext()
        guard let edit else { return }
        self.edit = nil
        if edit.isNew { context.detach(self) } else { context.apply(self, context.differences(self, edit.before)) }
    }
}
