// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One field of a form.
struct FieldView {
    struct Choice {
        var value: String
        var isChosen: Bool
    }

    var name: String
    var label: String
    var value = ""
    var type = "text"
    var help: String?
    var error: String?
    /// Whether something was typed that no page repeats: a password.
    var isEmptied = false
    /// What a browser may fill in.
    var autocomplete = "off"
    var isRequired = false
    var isFocused = false
    /// A box to tick, rather than a line.
    var isBox = false
    var isTicked = false
    /// What a list offers.
    var choices: [Choice] = []
    /// What a reader of screens says after the label, where several fields have the same one.
    var whose: String?
    /// A heading that stands before the field and those after it.
    var section: String?

    /// A line for a password, which goes into no page.
    ///
    /// - Parameter typed: what came in; where the form is shown again, the field says that it is empty.
    static func password(_ name: String, _ label: String, autocomplete: String, typed: String) -> FieldView {
        var field = FieldView(name: name, label: label, type: "password")
        field.autocomplete = autocomplete
        field.isEmptied = !typed.isEmpty
        return field
    }

    var id: String { "field-\(name)" }
    /// The help, and what to do again.
    private var told: String? {
        let texts = [help, isEmptied ? "Type it again: passwords are not sent back." : nil].compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
    /// The texts that belong to the field, for readers of screens.
    private var describedBy: String? {
        let ids = [error.map { _ in "\(id)-error" }, told.map { _ in "\(id)-help" }].compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    /// What Mustache reads.
    var values: [String: Any] {
        var values: [String: Any] = [
            "name": name, "label": label, "value": value, "type": type, "autocomplete": autocomplete,
            "isRequired": isRequired, "isFocused": isFocused, "isBox": isBox,
            "isTicked": isTicked, "isList": !choices.isEmpty, "isLine": !isBox && choices.isEmpty, "id": id,
            "choices": choices, "hasError": error != nil,
        ]
        values["help"] = told
        values["error"] = error
        values["whose"] = whose
        values["section"] = section
        values["describedBy"] = describedBy
        return values
    }
}
