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
    /// What a browser may fill in.
    var autocomplete = "off"
    var maxLength = 128
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

    var id: String { "field-\(name)" }
    /// The texts that belong to the field, for readers of screens.
    private var describedBy: String? {
        let ids = [error.map { _ in "\(id)-error" }, help.map { _ in "\(id)-help" }].compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    /// What Mustache reads.
    var values: [String: Any] {
        var values: [String: Any] = [
            "name": name, "label": label, "value": value, "type": type, "autocomplete": autocomplete,
            "maxLength": maxLength, "isRequired": isRequired, "isFocused": isFocused, "isBox": isBox,
            "isTicked": isTicked, "isList": !choices.isEmpty, "isLine": !isBox && choices.isEmpty, "id": id,
            "choices": choices, "hasError": error != nil,
        ]
        values["help"] = help
        values["error"] = error
        values["whose"] = whose
        values["section"] = section
        values["describedBy"] = describedBy
        return values
    }
}
