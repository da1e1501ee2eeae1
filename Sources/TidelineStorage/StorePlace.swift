// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How what a store has open stands to what its place names now.
public enum StorePlace: Hashable, Sendable {
    /// It is the same.
    case same
    /// It was removed, another one was put in its place, or it can be written now and could not be: it is to be opened anew.
    case changed
    /// Another file was put in its place, beside the log of the one that is open: whoever opened it would mix the two.
    case besideOldLog
}
