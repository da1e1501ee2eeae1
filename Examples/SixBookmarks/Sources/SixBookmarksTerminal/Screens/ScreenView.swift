// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels

/// One of the screens: how it looks, and what keys do on it.
///
/// What a screen remembers itself is only what the eye needs: the row that is selected, the field that is typed in.
@MainActor
protocol ScreenView: AnyObject {
    /// How it looks now.
    var frame: Frame { get }
    /// Does what a key says.
    func handle(_ key: Key) -> Request?
}

/// What a screen asks of the app around it.
enum Request: Hashable {
    case quit
    case help
    /// Ask before doing what follows a yes.
    case confirm(String, Confirmed)
    case signIn
    case signOut
    case sync

    /// What is done after a yes.
    enum Confirmed: Hashable {
        case discardAndSignOut
    }
}

extension ScreenView {
    /// A row of a list moved by a key; the keys that everybody tries are taken.
    func moved(_ row: Int, by key: Key, count: Int) -> Int? {
        switch key {
        case .up, .character("k"): max(0, row - 1)
        case .down, .character("j"): max(0, min(count - 1, row + 1))
        case .home: 0
        case .end: max(0, count - 1)
        default: nil
        }
    }

    /// The mark before a row.
    func mark(_ isSelected: Bool) -> String { isSelected ? "› " : "  " }
}
