// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels

/// The list of bookmarks.
final class ConfigurationView: ScreenView {
    private let app: AppModel
    private let model: ConfigurationModel
    private var row = 0
    /// What is selected: it stays so when rows come, go and move, so that no key meets another bookmark than was seen.
    private var selected: Bookmark?
    /// Whether arrows move the bookmark instead of the selection.
    private var isMoving = false

    init(_ app: AppModel, _ model: ConfigurationModel) {
        self.app = app
        self.model = model
    }

    var frame: Frame {
        let rows = model.rows
        follow(rows)
        var keys = ["a add", "e edit", "d delete", "m move", "s sync", "Esc back", "? keys", "q quit"]
        if model.canUndo { keys.insert("u undo", at: 3) }
        if isMoving { keys = ["↑ ↓ move it", "Enter here it stays"] }
        var frame = Frame(model.title, corner: app.navigator?.user ?? "", keys: keys)
        let width = rows.map { TerminalText.width(TerminalText.safe($0.name ?? "")) }.max() ?? 0
        for (index, bookmark) in rows.enumerated() {
            let sign = index == row && isMoving ? "↕ " : mark(index == row)
            let place = (0..<6).contains(bookmark.ordinal) ? "\(bookmark.ordinal + 1)" : "?"
            let name = TerminalText.padded(TerminalText.safe(bookmark.name ?? ""), to: min(width, 40))
            let line = "\(sign)\(place)  \(name)  \(bookmark.url ?? "")"
            frame.add(TerminalText.safe(line), index == row ? .selected : .plain)
        }
        if rows.isEmpty { frame.add(text: "There are no bookmarks. a adds one.", .dim) }
        frame.focus = row
        frame.add("")
        if let message = app.message ?? model.message { frame.add(text: message, model.canUndo ? .plain : .bad) }
        if let sync = app.sync { frame.add(sync) }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        if isMoving { return move(key) }
        let rows = model.rows
        follow(rows)
        if let row = moved(row, by: key, count: rows.count) {
            self.row = row
            selected = rows.indices.contains(row) ? rows[row] : nil
            return nil
        }
        switch key {
        case .enter, .character("e"): if let selected { app.edit(selected.ordinal) }
        case .character("a"): app.add()
        case .character("d"), .delete: if let selected { model.delete(selected) }
        case .character("u"): model.undo()
        case .character("m"): isMoving = selected != nil
        case .character("w"): app.show(.sync)
        case .character("s"): return .sync
        case .character("o"): return .signOut
        case .character("?"): return .help
        case .character("q"), .interrupt: return .quit
        case .escape, .left, .character("c"): app.show(.navigator)
        default: break
        }
        return nil
    }

    private func move(_ key: Key) -> Request? {
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .interrupt: return .quit
        default: isMoving = false
        }
        return nil
    }

    private func move(by step: Int) {
        if let selected { _ = model.move(selected, by: step) }
    }

    /// Keeps the selection on its bookmark; where that is gone, on what is in its row.
    private func follow(_ rows: [Bookmark]) {
        let place = selected.flatMap { selected in
            rows.firstIndex { $0.bookmarkId == selected.bookmarkId }
                // A sync gave it another key.
                ?? rows.firstIndex { $0.name == selected.name && $0.url == selected.url }
        }
        row = place ?? max(0, min(row, rows.count - 1))
        selected = rows.indices.contains(row) ? rows[row] : nil
    }
}
