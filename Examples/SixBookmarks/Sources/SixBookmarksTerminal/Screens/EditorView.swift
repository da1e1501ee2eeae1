// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels

/// The editor of a place.
final class EditorView: ScreenView {
    private let app: AppModel
    private let model: EditorModel
    private var fields: [TextField]
    private var field = 0

    init(_ app: AppModel, _ model: EditorModel) {
        self.app = app
        self.model = model
        fields = [TextField(model.name), TextField(model.url)]
    }

    var frame: Frame {
        var frame = Frame(model.title, keys: ["Enter save", "Tab next field", "Esc cancel"])
        let start = 11
        for (index, label) in ["Name", "Address"].enumerated() {
            let isHere = index == field
            if isHere {
                let before = TerminalText.safe(String(fields[index].text.prefix(fields[index].place)))
                frame.cursor = (frame.lines.count, start + TerminalText.width(before))
                frame.margin = start
            }
            frame.add(
                TerminalText.padded(mark(isHere) + label, to: start) + fields[index].text,
                isHere ? .bold : .plain
            )
        }
        frame.add("")
        frame.add(text: "Pages of http and https; https:// may be left out.", .dim)
        for failure in model.failures { frame.add(text: failure, .bad) }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        switch key {
        case .enter:
            (model.name, model.url) = (fields[0].text, fields[1].text)
            app.closeEditor(saving: true)
        case .escape: app.closeEditor(saving: false)
        case .tab, .backTab, .up, .down: field = 1 - field
        case .interrupt: return .quit
        default: _ = fields[field].type(key)
        }
        return nil
    }
}
