// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import Tideline

/// The six buttons.
final class NavigatorView: ScreenView {
    private let app: AppModel
    private let model: NavigatorModel
    private var row = 0

    init(_ app: AppModel, _ model: NavigatorModel) {
        self.app = app
        self.model = model
    }

    var frame: Frame {
        var frame = Frame(
            model.title,
            corner: model.user,
            keys: [
                "1-6 open", "c configure", "e edit", "s sync", "w what waits", "i about", "o sign out", "? keys",
                "q quit",
            ]
        )
        let slots = model.slots
        let width = slots.map { TerminalText.width(TerminalText.safe($0.title)) }.max() ?? 0
        for (index, slot) in slots.enumerated() {
            let title = TerminalText.padded(TerminalText.safe(slot.title), to: min(width, 40))
            let line = "\(mark(index == row))\(slot.ordinal + 1)  \(title)  \(slot.bookmark?.url ?? "")"
            frame.add(TerminalText.safe(line), index == row ? .selected : .plain)
        }
        frame.focus = row
        frame.add("")
        if let message = app.message ?? model.message { frame.add(text: message, .bad) }
        if let sync = app.sync { frame.add(sync) }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        if let row = moved(row, by: key, count: model.slots.count) {
            self.row = row
            return nil
        }
        switch key {
        case .enter: app.press(Int32(row))
        case .character("1"..."6"):
            guard case .character(let digit) = key, let place = digit.wholeNumberValue else { return nil }
            row = place - 1
            app.press(Int32(row))
        case .character("c"), .character("d"), .character("m"), .character("u"): app.show(.configuration)
        case .character("a"):
            app.show(.configuration)
            app.add()
        case .character("e"): app.edit(Int32(row))
        case .character("i"): _ = model.about()
        case .character("w"): app.show(.sync)
        case .character("s"): return .sync
        case .character("o"): return .signOut
        case .character("?"): return .help
        case .character("q"), .interrupt: return .quit
        default: break
        }
        return nil
    }
}

extension Frame {
    /// Adds what is to be said of sync, below everything else.
    @MainActor
    mutating func add(_ sync: SyncModel) {
        if let message = sync.message { add(text: message, sync.isGood ? .good : .bad) }
        for note in sync.notes where sync.message?.contains(note) != true { add(text: note, .good) }
        add(text: sync.activity, .dim)
        if !sync.conflicts.isEmpty || !sync.refused.isEmpty {
            add(text: "\(sync.conflicts.count) in conflict, \(sync.refused.count) refused: w shows them.", .bad)
        }
    }
}
