// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel

/// `register`: an account of its own; signed in at once, without users.
struct RegisterPage: Sendable {
    let accounts: Accounts
    let renderer: PageRenderer

    func respond(to request: PageRequest) throws -> PageReply {
        guard request.isForm else { return page(request, FormFields(), [], .ok) }
        let registration = Registration(fields: request.form)
        let problems = registration.problems
        guard problems.isEmpty else { return page(request, request.form, problems, .unprocessableContent) }
        let name = request.form.trimmed("Username")
        let password = request.form["Password"]
        do {
            try accounts.addUser(named: name, password: password, directory: request.accounts) { step in
                try PageRows(registeringAt: request.loaded).insert(
                    registration.row,
                    into: "ApiAccounts",
                    password: step
                )
            }
        } catch let error as PageRows.Refused {
            return page(request, request.form, error.problems(taken: "Username"), error.formStatus)
        }
        let pair = try accounts.signIn(
            name,
            password: password,
            directory: request.accounts,
            device: "Service pages"
        )
        return .signedIn(AccountSession.text(pair), to: "users?done=registered")
    }

    private func page(
        _ request: PageRequest,
        _ typed: FormFields,
        _ problems: [(field: String, message: String)],
        _ status: HTTPResponse.Status
    ) -> PageReply {
        var fields = Registration.lines.map { line in
            var field = FieldView(name: line.name, label: line.label, type: line.type, help: line.help)
            // A password is typed again: it goes into no page.
            field.isEmptied = line.type == "password" && !typed[line.name].isEmpty
            field.value = line.type == "password" ? "" : typed[line.name]
            field.autocomplete = line.autocomplete
            field.isRequired = true
            field.section = line.section
            if line.name == "Country" {
                let chosen = typed[line.name].isEmpty ? Countries.usual : typed[line.name]
                field.choices = Countries.names.map { .init(value: $0, isChosen: $0 == chosen) }
            }
            return field
        }
        fields[0].isFocused = true
        var news = FieldView(name: Registration.news, label: "Send me occasional news and updates")
        news.isBox = true
        news.isTicked = typed.isTicked(Registration.news)
        fields.append(news)
        var form = FormView(
            action: request.base + "register",
            signature: request.signature,
            submit: "Register",
            fields: fields
        )
        form.mark(problems)
        let html = renderer.html("register", request, form: form)
        return .page(title: "Register an account", html: html, status: status)
    }
}

extension PageRows.Refused {
    /// What to say at which field.
    ///
    /// - Parameter field: the field that is to blame when a name is taken.
    func problems(taken field: String) -> [(field: String, message: String)] {
        if isFailure { return [("", failure)] }
        if status == .conflict { return [(field, "This name is taken. Choose another one.")] }
        return details.isEmpty ? [("", message)] : details.map { ($0.property, $0.message) }
    }
}
