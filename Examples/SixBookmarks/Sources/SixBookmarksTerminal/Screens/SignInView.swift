// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarksModels

/// The form: service, user, password, remember me, and for who is new the password again.
final class SignInView: ScreenView {
    private enum Field: Int, CaseIterable {
        case service, user, password, again, remember, new

        var isText: Bool { rawValue <= Field.again.rawValue }
    }

    private let model: SignInModel
    private var fields: [TextField]
    private var field: Field

    init(_ model: SignInModel) {
        self.model = model
        fields = [TextField(model.service), TextField(model.user), TextField(), TextField()]
        field = model.user.isEmpty ? .user : .password
    }

    var frame: Frame {
        let verb = model.isNew ? "register" : "sign in"
        var frame = Frame("Six Bookmarks", keys: ["Enter \(verb)", "Tab next field", "Esc quit"])
        frame.add(text: "Welcome. Sign in to have your six bookmarks here.")
        frame.add("")
        let labels = ["Service", "User", "Password", "Once more"]
        let start = 12
        for (index, label) in labels.enumerated() where index != Field.again.rawValue || model.isNew {
            let text = fields[index].text
            let shown = index >= Field.password.rawValue ? String(repeating: "•", count: text.count) : text
            let isHere = index == field.rawValue
            if isHere {
                let before = TerminalText.safe(String(shown.prefix(fields[index].place)))
                frame.cursor = (frame.lines.count, start + TerminalText.width(before))
            }
            if isHere { frame.margin = start }
            frame.add(TerminalText.padded(mark(isHere) + label, to: start) + shown, isHere ? .bold : .plain)
        }
        for (box, isTicked, text) in [
            (Field.remember, model.isRemembered, "Remember me on this device (Space)"),
            (.new, model.isNew, "I am new here: register this name (Space)"),
        ] {
            let isHere = field == box
            if isHere { frame.cursor = (frame.lines.count, start + 1) }
            frame.add(
                TerminalText.padded(mark(isHere), to: start) + (isTicked ? "[x] " : "[ ] ") + text,
                isHere ? .bold : .plain
            )
        }
        frame.add("")
        if model.isBusy { frame.add(model.isNew ? "Registering…" : "Signing in…", .dim) }
        if let message = model.message { frame.add(text: message, .bad) }
        return frame
    }

    func handle(_ key: Key) -> Request? {
        if key == .interrupt || key == .escape { return .quit }
        guard !model.isBusy else { return nil }
        switch key {
        case .enter:
            (model.service, model.user) = (fields[0].text, fields[1].text)
            (model.password, model.again) = (fields[2].text, fields[3].text)
            return .signIn
        case .tab, .down: step(1)
        case .backTab, .up: step(-1)
        case .character(" ") where field == .remember: model.isRemembered.toggle()
        case .character(" ") where field == .new: model.isNew.toggle()
        default:
            if field.isText { _ = fields[field.rawValue].type(key) }
        }
        return nil
    }

    /// The password that was typed goes after a sign-in that the service refused.
    func forgetPassword() {
        for field in [Field.password, .again] { fields[field.rawValue] = TextField() }
        (model.password, model.again) = ("", "")
    }

    private func step(_ step: Int) {
        let count = Field.allCases.count
        repeat {
            field = Field(rawValue: (field.rawValue + step + count) % count) ?? .user
        } while field == .again && !model.isNew
    }
}
