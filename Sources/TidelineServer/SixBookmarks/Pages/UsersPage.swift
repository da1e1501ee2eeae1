// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel

/// `users`: who signs in as a user of the account; `users/new` and `users/<key>`: one of them.
struct UsersPage: Sendable {
    let accounts: Accounts
    let renderer: PageRenderer

    func list(_ request: PageRequest, _ account: User) throws -> PageReply {
        let rows = try request.rows(account).list("Users?$orderby=Username", of: UserRow.self)
        let users = rows.map { row in
            [
                "key": "\(row.UserId)", "name": row.Username, "email": row.Email ?? "", "isActive": row.IsActive,
                "person": [row.FirstName, row.LastName].compactMap(\.self).filter { !$0.isEmpty }.joined(
                    separator: " "
                ),
            ] as [String: Any]
        }
        let values: [String: Any] = [
            "hasUsers": !users.isEmpty, "users": users, "count": users.count == 1 ? "1 user" : "\(users.count) users",
        ]
        return .page(title: "Users", html: renderer.html("users", request, values))
    }

    func add(_ request: PageRequest, _ account: User) throws -> PageReply {
        guard request.isForm else { return page(request, account, Typed(), [], .ok) }
        let typed = Typed(request.form)
        let madeFor = request.form["account"]
        guard madeFor.isEmpty || madeFor == account.name else {
            // In another window of this browser: the page says whose users these would be, then the person decides.
            let message =
                "Another account signed in meanwhile: \(account.name). Nothing is saved; add the user again to have it there."
            return page(request, account, typed, [("", message)], .conflict)
        }
        let problems = typed.problems(needsPassword: true)
        guard problems.isEmpty else { return page(request, account, typed, problems, .unprocessableContent) }
        do {
            let rows = request.rows(account)
            var row = typed.row
            guard case .integer(let id) = account.id else { throw Refusal.internalError }
            row["ApiAccountId"] = .number(id)
            let name = "\(account.name)/\(typed.name)"
            try accounts.addUser(named: name, password: typed.password, directory: request.users) { step in
                try rows.insert(row, into: "Users", password: step)
            }
            return .redirect("users?done=added")
        } catch let error as PageRows.Refused {
            return page(request, account, typed, error.problems(taken: "Username"), error.formStatus)
        }
    }

    func edit(_ request: PageRequest, _ account: User, _ key: Int64) throws -> PageReply? {
        let rows = request.rows(account)
        guard let row = try rows.row("Users(\(key))", of: UserRow.self) else { return nil }
        guard request.isForm else { return page(request, account, Typed(row), [], .ok, row) }
        let typed = Typed(request.form)
        let problems = typed.problems(needsPassword: false)
        guard problems.isEmpty else { return page(request, account, typed, problems, .unprocessableContent, row) }
        do {
            try rows.update("Users(\(key))", typed.row, etag: typed.etag)
        } catch let error as PageRows.Refused where error.status == .preconditionFailed {
            var again = typed
            again.etag = row.etag ?? ""
            let message =
                "Somebody else changed this user meanwhile. What you typed is still here: look it over, then save again."
            return page(request, account, again, [("", message)], .conflict, row)
        } catch let error as PageRows.Refused {
            return page(request, account, typed, error.problems(taken: "Username"), error.formStatus, row)
        }
        if !typed.password.isEmpty {
            try accounts.setPassword(typed.password, id: .integer(key), directory: request.users)
        } else if !typed.isActive {
            try accounts.signOut(id: .integer(key), directory: request.users)
        }
        return .redirect("users?done=saved")
    }

    // MARK: The form

    /// What was typed of a user, or stands in the row.
    private struct Typed {
        var name = ""
        var password = ""
        var firstName = ""
        var lastName = ""
        var email = ""
        var isActive = true
        var etag = ""

        init() {}

        init(_ row: UserRow) {
            name = row.Username
            firstName = row.FirstName ?? ""
            lastName = row.LastName ?? ""
            email = row.Email ?? ""
            isActive = row.IsActive
            etag = row.etag ?? ""
        }

        init(_ fields: FormFields) {
            name = fields.trimmed("Username")
            password = fields["Password"]
            firstName = fields.trimmed("FirstName")
            lastName = fields.trimmed("LastName")
            email = fields.trimmed("Email")
            isActive = fields.isTicked("IsActive")
            etag = fields["etag"]
        }

        var row: [String: RowValue] {
            [
                "Username": .text(name), "FirstName": .text(firstName), "LastName": .text(lastName),
                "Email": email.isEmpty ? .null : .text(email), "IsActive": .flag(isActive),
            ]
        }

        func problems(needsPassword: Bool) -> [(field: String, message: String)] {
            var problems: [(field: String, message: String)] = []
            func note(_ field: String, _ label: String, _ text: String, _ most: Int) {
                guard let problem = Registration.lengthProblem(label, text, most) else { return }
                problems.append((field, problem))
            }
            if name.isEmpty { problems.append(("Username", "Username is missing.")) }
            if let problem = Registration.nameProblem(name) { problems.append(("Username", problem)) }
            note("Username", "Username", name, 64)
            if needsPassword || !password.isEmpty, let problem = Registration.passwordProblem(password) {
                problems.append(("Password", password.isEmpty ? "Password is missing." : problem))
            }
            note("FirstName", "First name", firstName, 128)
            note("LastName", "Last name", lastName, 128)
            if !email.isEmpty, !MailAddress.isAddress(email) {
                problems.append(("Email", MailAddress.advice))
            }
            return problems
        }
    }

    private func page(
        _ request: PageRequest,
        _ account: User,
        _ typed: Typed,
        _ problems: [(field: String, message: String)],
        _ status: HTTPResponse.Status,
        _ row: UserRow? = nil
    ) -> PageReply {
        var name = FieldView(name: "Username", label: "Username", value: typed.name)
        name.isRequired = true
        name.isFocused = row == nil
        var password = FieldView.password(
            "Password",
            row == nil ? "Password" : "New password",
            autocomplete: "new-password",
            typed: typed.password
        )
        password.isRequired = row == nil
        password.help =
            row == nil
            ? "At least 8 characters."
            : "Leave it empty to keep the old one. A new one signs the user out on every device."
        let email = FieldView(name: "Email", label: "E-mail", value: typed.email, type: "email")
        var active = FieldView(name: "IsActive", label: "Active", help: "An inactive user cannot sign in.")
        active.isBox = true
        active.isTicked = typed.isActive
        var form = FormView(
            action: request.base + "users/" + (row.map { "\($0.UserId)" } ?? "new"),
            signature: request.signature,
            submit: row == nil ? "Add user" : "Save user",
            fields: [
                name, password, FieldView(name: "FirstName", label: "First name", value: typed.firstName),
                FieldView(name: "LastName", label: "Last name", value: typed.lastName), email, active,
            ]
        )
        form.cancel = request.base + "users"
        form.hidden = [.init(name: "etag", value: typed.etag), .init(name: "account", value: account.name)]
        form.mark(problems)
        let heading = row.map { "User \($0.Username)" } ?? "Add a new user"
        var values: [String: Any] = ["heading": heading]
        values["key"] = row.map { "\($0.UserId)" }
        values["signInName"] = row.map { "\(account.name)/\($0.Username)" }
        return .page(title: heading, html: renderer.html("user", request, values, form: form), status: status)
    }
}
