// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts

/// What was typed into the form of an account that registers, and what is wrong with it.
struct Registration: Sendable {
    /// A field: its name, which is that of the column, and what is said of it.
    struct Line: Sendable {
        var name: String
        var label: String
        var autocomplete: String
        /// The most characters; a password has a limit of its own.
        var maxLength = 128
        var type = "text"
        var help: String?
        var section: String?
    }

    /// The fields in their order; all of them are needed.
    static let lines = [
        Line(
            name: "Username",
            label: "Username",
            autocomplete: "username",
            maxLength: 64,
            help: "Your users sign in with it before theirs: name/user.",
            section: "Sign-in"
        ),
        Line(
            name: "Password",
            label: "Password",
            autocomplete: "new-password",
            type: "password",
            help: "At least 8 characters."
        ),
        Line(
            name: "Confirmation",
            label: "Confirm password",
            autocomplete: "new-password",
            type: "password"
        ),
        Line(name: "FirstName", label: "First name", autocomplete: "given-name", section: "Who you are"),
        Line(name: "LastName", label: "Last name", autocomplete: "family-name"),
        Line(name: "Company", label: "Company", autocomplete: "organization"),
        Line(name: "Address1", label: "Address line 1", autocomplete: "address-line1", section: "Address"),
        Line(name: "Address2", label: "Address line 2", autocomplete: "address-line2"),
        Line(name: "Address3", label: "Address line 3", autocomplete: "address-line3"),
        Line(name: "City", label: "City or town", autocomplete: "address-level2"),
        Line(name: "Region", label: "Region or county", autocomplete: "address-level1"),
        Line(name: "PostalCode", label: "Postal code", autocomplete: "postal-code"),
        Line(name: "Country", label: "Country", autocomplete: "country-name"),
        Line(
            name: "Email",
            label: "E-mail",
            autocomplete: "email",
            maxLength: 254,
            type: "email",
            help: "A link goes to it when the password is forgotten.",
            section: "Mail"
        ),
    ]

    static let news = "WantsNews"

    var fields: FormFields

    /// What is wrong, in the order of the fields.
    var problems: [(field: String, message: String)] {
        var problems: [(field: String, message: String)] = []
        for line in Self.lines {
            let isPassword = line.type == "password"
            let text = isPassword ? fields[line.name] : fields.trimmed(line.name)
            if text.isEmpty {
                problems.append((line.name, "\(line.label) is missing."))
            } else if !isPassword, let message = Self.lengthProblem(line.label, text, line.maxLength) {
                problems.append((line.name, message))
            } else if !isPassword, text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                problems.append((line.name, "\(line.label) has a character that cannot be printed."))
            } else if let message = problem(line.name, text) {
                problems.append((line.name, message))
            }
        }
        return problems
    }

    /// The row of the account.
    var row: [String: RowValue] {
        var row: [String: RowValue] = [Self.news: .flag(fields.isTicked(Self.news))]
        for line in Self.lines where line.type != "password" { row[line.name] = .text(fields.trimmed(line.name)) }
        return row
    }

    private func problem(_ name: String, _ text: String) -> String? {
        switch name {
        case "Username": Self.nameProblem(text)
        case "Password": Self.passwordProblem(text)
        case "Confirmation": text == fields["Password"] ? nil : "The two passwords are not the same."
        case "Country": Countries.names.contains(text) ? nil : "Choose a country from the list."
        case "Email": MailAddress.isAddress(text) ? nil : MailAddress.advice
        default: nil
        }
    }

    static func lengthProblem(_ label: String, _ text: String, _ most: Int) -> String? {
        text.unicodeScalars.count > most ? "\(label) is longer than \(most) characters." : nil
    }

    static func nameProblem(_ text: String) -> String? {
        if text.contains("/") { return "The name has a slash. Leave it out." }
        return UserName.isPrintable(text) ? nil : "The name has a character that cannot be seen. Leave it out."
    }

    static func passwordProblem(_ text: String) -> String? {
        if text.utf8.count < 8 { return "The password is too short. Choose at least 8 characters." }
        return text.utf8.count > 1024 ? "The password is too long. Choose a shorter one." : nil
    }
}
