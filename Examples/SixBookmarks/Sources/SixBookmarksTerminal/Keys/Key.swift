// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a person does at the keyboard.
public enum Key: Hashable, Sendable {
    case up, down, left, right, home, end
    case enter, escape, tab, backTab, backspace, delete
    /// A letter, a digit, a sign.
    case character(Character)
    /// Ctrl-C, or the end of the input.
    case interrupt
}
