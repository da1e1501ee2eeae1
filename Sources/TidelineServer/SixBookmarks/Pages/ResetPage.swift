// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel

/// `reset`: another password, by a link that goes to the address of the account.
///
/// What is answered, and how soon, is the same whether there is such an account or not.
struct ResetPage: Sendable {
    let accounts: Accounts
    let renderer: PageRenderer
    /// The secret that links are signed with.
    let key: [UInt8]

    func respond(to request: PageRequest) throws -> PageReply {
        let token = request.isForm ? request.form["token"] : request.query["token"]
        if !token.isEmpty { return try choose(request, token) }
        guard request.isForm else {
            guard request.query["done"] == "mail" else { return ask(request, [], .ok) }
            return .page(title: "Check your mail", html: renderer.html("resetSent", request))
        }
        let name = request.form.trimmed("Username")
        guard !name.isEmpty else { return ask(request, [("Username", "Username is missing.")], .unprocessableContent) }
        // To a page of its own: loading that again sends no second mail.
        return .mailed(to: "reset?done=mail", try mail(to: name, request))
    }

    private func mail(to name: String, _ request: PageRequest) throws -> Mail? {
        struct Address: Decodable { var Email: String }
        guard let user = try request.accounts.user(named: name), case .integer(let id) = user.id,
            let token = try accounts.resetToken(id: user.id, directory: request.accounts, key: key),
            let row = try request.rows(user).row("ApiAccounts(\(id))?$select=Email", of: Address.self),
            MailAddress.isAddress(row.Email)
        else { return nil }
        let link = "\(request.origin)\(request.base)reset?token=\(token)"
        return Mail(
            to: row.Email,
            subject: "A new password for Six Bookmarks",
            text: """
                Somebody, most likely you, asked for a new password for the account \(user.name) of Six Bookmarks.

                Choose one here, within an hour:
                \(link)

                Was it not you? Then do nothing: the password stays as it is.

                """
        )
    }

    private func ask(
        _ request: PageRequest,
        _ problems: [(field: String, message: String)],
        _ status: HTTPResponse.Status
    ) -> PageReply {
        var name = FieldView(name: "Username", label: "Username of the account", value: request.form["Username"])
        name.autocomplete = "username"
        name.isRequired = true
        name.isFocused = true
        var form = FormView(
            action: request.base + "reset",
            signature: request.signature,
            submit: "Send the link",
            fields: [name]
        )
        form.cancel = request.base + "sign-in"
        form.mark(problems)
        return .page(
            title: "Reset your password",
            html: renderer.html("resetRequest", request, form: form),
            status: status
        )
    }

    private func choose(_ request: PageRequest, _ token: String) throws -> PageReply {
        do {
            let user = try accounts.user(ofResetToken: token, directory: request.accounts, key: key)
            var problems: [(field: String, message: String)] = []
            if request.isForm {
                let password = request.form["Password"]
                if let problem = Registration.passwordProblem(password) { problems.append(("Password", problem)) }
                if password != request.form["Confirmation"] {
                    problems.append(("Confirmation", "The two passwords are not the same."))
                }
                if problems.isEmpty {
                    try accounts.reset(token, password: password, directory: request.accounts, key: key)
                    return .signedOut(to: "sign-in?done=password")
                }
            }
            return form(request, token, user, problems)
        } catch let error as AccountsError where error.code == .invalidToken {
            let values = [
                "heading": "This link opens nothing", "message": error.message, "href": request.base + "reset",
                "link": "Ask for another one",
            ]
            let html = renderer.html("message", request, values)
            return .page(title: "This link opens nothing", html: html, status: .gone)
        }
    }

    private func form(
        _ request: PageRequest,
        _ token: String,
        _ user: User,
        _ problems: [(field: String, message: String)]
    ) -> PageReply {
        let lines = [("Password", "New password"), ("Confirmation", "Confirm password")]
        var fields = lines.map {
            FieldView.password($0, $1, autocomplete: "new-password", typed: request.form[$0])
        }
        for place in fields.indices { fields[place].isRequired = true }
        fields[0].help = "At least 8 characters."
        fields[0].isFocused = true
        var form = FormView(
            action: request.base + "reset",
            signature: request.signature,
            submit: "Set the password",
            fields: fields
        )
        form.hidden = [.init(name: "token", value: token)]
        form.mark(problems)
        let html = renderer.html("resetChoose", request, ["name": user.name], form: form)
        let status: HTTPResponse.Status = problems.isEmpty ? .ok : .unprocessableContent
        return .page(title: "Choose a new password", html: html, status: status)
    }
}
