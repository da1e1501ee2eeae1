// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One step of what was done in a context, with what it takes to do the opposite.
enum UndoStep {
    case inserted(ManagedRow)
    /// The values that the object had when it was taken out.
    case removed(ManagedRow, [Value])
    case assigned(ManagedRow, [Change.Assignment])
}
