// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels

/// The form: service, user, password, remember me.
final class SignInView: ScreenView {
    private enum Field: Int, CaseIterable {
        case service, user, password, remember
    }

    private let model: SignInModel
    private var fields: [TextField]
    private var field: Field

    init(_ model: SignInModel) {
        self.model = model
        fields = [TextField(model.service), TextField(model.user), TextField()]
        field = model.user.isEmpty ? .user : .password
    }

    var frame: Frame {
        var frame = Frame("Six Bookmarks", keys: ["Enter sign in", "Tab next field", "Esc quit"])
        frame.add("Welcome. Sign in to have your six bookmarks here.")
        frame.add("")
        let labels = ["Service", "User", "Password"]
        let start = 12
        for (index, label) in labels.enumerated() {
            let text = fields[index].text
            let shown = index == Field.password.rawValue ? String(repeating: "•", count: text.count) : text
            let isHere = index == field.rawValue
            if isHere {
                let before = TerminalText.safe(String(shown.prefix(fields[index].place)))
                frame.cursor = (frame.lines.count, start + TerminalText.width(before))
            }
            frame.add(TerminalText.padded(mark(isHere) + label, to: start) + shown, isHere ? .bold : .plain)
        }
        let isHere = field == .remember
        if isHere { frame.cursor = (frame.lines.count, start + 1) }
        frame.add(
            TerminalText.padded(mark(isHere), to: start) + (model.isRemembered ? "[x]" : "[ ]")
                + " Remember me on this device (Space)",
            isHere ? .bold : .plain
        )
        frame.add("")
        if model.isBusy { frame.add("Signing in…", .dim) }
        if let message = model.message { frame.add(message, .bad) }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        if key == .interrupt || key == .escape { return .quit }
        guard !model.isBusy else { return nil }
        switch key {
        case .enter:
            (model.service, model.user, model.password) = (fields[0].text, fields[1].text, fields[2].text)
            return .signIn
        case .tab, .down: step(1)
        case .backTab, .up: step(-1)
        case .character(" ") where field == .remember: model.isRemembered.toggle()
        default:
            if field != .remember { _ = fields[field.rawValue].type(key) }
        }
        return nil
    }

    /// The password that was typed goes after a sign-in that succeeded or was refused.
    func forgetPassword() {
        fields[Field.password.rawValue] = TextField()
        model.password = ""
    }

    private func step(_ step: Int) {
        let count = Field.allCases.count
        field = Field(rawValue: (field.rawValue + step + count) % count) ?? .user
    }
}
