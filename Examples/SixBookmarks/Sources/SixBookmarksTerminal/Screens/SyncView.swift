// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels
import Tideline

/// The sync: its state, what two devices changed both, what the service refused.
final class SyncView: ScreenView {
    private enum Item {
        case conflict(ConflictLine)
        case refused(RefusedLine)
    }

    private let app: AppModel
    private let model: SyncModel
    private var row = 0

    init(_ app: AppModel, _ model: SyncModel) {
        self.app = app
        self.model = model
        model.markSeen()
    }

    private var items: [Item] { model.conflicts.map(Item.conflict) + model.refused.map(Item.refused) }

    var frame: Frame {
        let items = items
        row = max(0, min(row, items.count - 1))
        var keys = ["s sync", "Esc back", "? keys", "q quit"]
        if model.isSyncing { keys = ["x stop the sync"] + keys.dropFirst() }
        if items.indices.contains(row) {
            switch items[row] {
            case .conflict: keys = ["r bring back what lost", "k leave it so"] + keys
            case .refused: keys = ["g send it again", "x give it up"] + keys
            }
        }
        var frame = Frame("Sync", corner: app.navigator?.user ?? "", keys: keys)
        frame.add(text: model.activity, .bold)
        frame.add(text: model.waiting)
        frame.add(text: model.lastSuccess)
        if let message = model.message { frame.add(text: message, model.isGood ? .good : .bad) }
        for note in model.notes where model.message?.contains(note) != true { frame.add(text: note, .good) }
        frame.add("")
        if items.isEmpty { frame.add("No conflicts, and nothing refused.", .dim) }
        for (index, item) in items.enumerated() {
            if index == row { frame.focus = frame.lines.count }
            let (title, details) =
                switch item {
                case .conflict(let line): ("Changed on two devices: \(line.title)", line.details)
                case .refused(let line): ("Refused by the service: \(line.title)", [line.reason])
                }
            frame.add(TerminalText.safe(mark(index == row) + title), index == row ? .selected : .plain)
            for detail in details { frame.add(text: TerminalText.safe("    " + detail), .dim) }
        }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        let items = items
        switch key {
        case .character("k") where items.indices.contains(row):
            if case .conflict(let line) = items[row] { model.dismiss(line) }
            return nil
        case .character("r") where items.indices.contains(row):
            if case .conflict(let line) = items[row] { model.restore(line) }
            return nil
        case .character("g") where items.indices.contains(row):
            if case .refused(let line) = items[row] { model.sendAgain(line) }
            return nil
        case .character("x"):
            if model.isSyncing {
                model.cancel()
            } else if items.indices.contains(row), case .refused(let line) = items[row] {
                model.giveUp(line)
            }
            return nil
        default: break
        }
        if let row = moved(row, by: key, count: items.count) {
            self.row = row
            return nil
        }
        switch key {
        case .character("s"): return .sync
        case .character("o"): return .signOut
        case .character("c"): app.show(.configuration)
        case .character("?"): return .help
        case .character("q"), .interrupt: return .quit
        case .escape, .left, .character("w"):
            model.clearNotes()
            app.show(.navigator)
        default: break
        }
        return nil
    }
}
