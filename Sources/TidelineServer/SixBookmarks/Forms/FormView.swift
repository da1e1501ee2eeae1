// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A form: what is wrong at the top, then field for field.
struct FormView {
    /// An error with the field that it stands at.
    struct ErrorView {
        var message: String
        var id: String?
    }

    var action: String
    var signature: String
    /// What the button says: a verb.
    var submit: String
    var fields: [FieldView]
    var errors: [ErrorView] = []
    var hidden: [HiddenView] = []
    /// A link beside the button, to leave without saving.
    var cancel: String?

    struct HiddenView {
        var name: String
        var value: String
    }

    private var errorTitle: String {
        errors.count == 1 ? "One thing is not right yet" : "\(errors.count) things are not right yet"
    }

    /// Puts errors at their fields and at the top; the first field that is wrong takes the focus.
    mutating func mark(_ problems: [(field: String, message: String)]) {
        for problem in problems {
            let place = fields.firstIndex { $0.name == problem.field }
            errors.append(ErrorView(message: problem.message, id: place.map { fields[$0].id }))
            guard let place, fields[place].error == nil else { continue }
            fields[place].error = problem.message
        }
        guard !errors.isEmpty else { return }
        releaseFocus()
        if let first = fields.firstIndex(where: { $0.error != nil }) { fields[first].isFocused = true }
    }

    /// Leaves the focus to what stands above the form.
    mutating func releaseFocus() {
        for place in fields.indices { fields[place].isFocused = false }
    }

    /// What Mustache reads.
    var values: [String: Any] {
        var values: [String: Any] = [
            "action": action, "signature": signature, "submit": submit, "fields": fields.map(\.values),
            "hasErrors": !errors.isEmpty, "errorTitle": errorTitle, "hidden": hidden,
            // What is wrong with no field of its own has only the top to be read at.
            "summaryIsFocused": !fields.contains(where: \.isFocused),
            "errors": errors.map {
                ["message": $0.message, "field": $0.id ?? "", "hasField": $0.id != nil] as [String: Any]
            },
        ]
        values["cancel"] = cancel
        return values
    }
}
