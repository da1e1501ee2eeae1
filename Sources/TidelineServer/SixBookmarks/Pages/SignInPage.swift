// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts

/// `sign-in` and `sign-out`: to an account, and from it.
struct SignInPage: Sendable {
    let accounts: Accounts
    let renderer: PageRenderer

    func respond(to request: PageRequest) throws -> PageReply {
        guard request.isForm else { return page(request, [], .ok) }
        let name = request.form.trimmed("Username")
        var missing: [(field: String, message: String)] = []
        if name.isEmpty { missing.append(("Username", "Username is missing.")) }
        if request.form["Password"].isEmpty { missing.append(("Password", "Password is missing.")) }
        guard missing.isEmpty else { return page(request, missing, .unprocessableContent) }
        do {
            let pair = try accounts.signIn(
                name,
                password: request.form["Password"],
                directory: request.accounts,
                device: "Service pages"
            )
            return .signedIn(AccountSession.text(pair), to: target(request.form["next"]))
        } catch let error as AccountsError where error.code == .invalidCredentials {
            let message = "The username or the password is not right."
            return page(request, [("Password", message)], .unprocessableContent)
        } catch let error as AccountsError where error.code == .locked {
            let seconds = error.retryAfter?.components.seconds ?? 30
            let wait = seconds < 90 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
            let message = "Sign-in failed too often. Try again in \(wait)."
            return page(request, [("Password", message)], .tooManyRequests)
        }
    }

    /// Where to go after that: a page of ours, whatever the form says.
    private func target(_ next: String) -> String {
        let isPath = next.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPath && next.hasPrefix("users") ? next : "users"
    }

    private func page(
        _ request: PageRequest,
        _ problems: [(field: String, message: String)],
        _ status: HTTPResponse.Status
    ) -> PageReply {
        var name = FieldView(name: "Username", label: "Username", value: request.form["Username"])
        name.autocomplete = "username"
        name.isRequired = true
        name.isFocused = true
        var password = FieldView.password(
            "Password",
            "Password",
            autocomplete: "current-password",
            typed: request.form["Password"]
        )
        password.isRequired = true
        var form = FormView(
            action: request.base + "sign-in",
            signature: request.signature,
            submit: "Sign in",
            fields: [name, password]
        )
        let next = request.isForm ? request.form["next"] : request.query["next"]
        form.hidden = [.init(name: "next", value: target(next))]
        form.mark(problems)
        let message = next.isEmpty ? nil : "This page is for accounts. Sign in, and it opens."
        var values: [String: Any] = [:]
        values["message"] = request.isForm ? nil : message
        let html = renderer.html("signIn", request, values, form: form)
        return .page(title: "Sign in", html: html, status: status)
    }
}
