// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Mustache
import TidelineAccounts

/// The templates of the service's pages, read once.
struct PageRenderer: Sendable {
    private let library: MustacheLibrary
    private let frame: MustacheTemplate

    /// - Throws: when a template has an error, which its test would show.
    init() throws {
        frame = try MustacheTemplate(string: FrameTemplate.text)
        let texts = [
            "form": FormTemplate.text, "welcome": PageTemplates.welcome, "register": PageTemplates.register,
            "signIn": PageTemplates.signIn, "resetRequest": PageTemplates.resetRequest,
            "resetSent": PageTemplates.resetSent, "resetChoose": PageTemplates.resetChoose,
            "message": PageTemplates.message, "users": PageTemplates.users, "user": PageTemplates.user,
            "bookmarks": PageTemplates.bookmarks, "test": TestClientTemplate.text,
        ]
        library = MustacheLibrary(templates: try texts.mapValues { try MustacheTemplate(string: $0) })
    }

    /// The middle of a page.
    ///
    /// - Parameters:
    ///   - values: what the template names.
    ///   - form: the form of the page.
    func html(_ template: String, _ request: PageRequest, _ values: [String: Any] = [:], form: FormView? = nil)
        -> String
    {
        var all: [String: Any] = ["base": request.base]
        all["account"] = request.account?.name
        var form = form
        // What was done is told first.
        if Self.notice(request) != nil { form?.releaseFocus() }
        all.merge(form?.values ?? [:]) { $1 }
        all.merge(values) { $1 }
        return library.render(all, withTemplate: template) ?? ""
    }

    /// The whole page.
    func page(_ title: String, _ content: String, _ request: PageRequest) -> String {
        let here = request.path.first
        var menu: [(text: String, path: String)] = [("Test client", "test")]
        if request.account != nil {
            menu.insert(("Users", "users"), at: 0)
        } else {
            menu += [("Register", "register"), ("Sign in", "sign-in")]
        }
        var values: [String: Any] = [
            "title": title, "content": content, "base": request.base, "signature": request.signature,
            "menu": menu.map {
                ["text": $0.text, "href": request.base + $0.path, "isHere": here == $0.path] as [String: Any]
            },
        ]
        values["account"] = request.account?.name
        values["notice"] = Self.notice(request)
        return frame.render(values)
    }

    /// What the page says at its top; it takes the focus, so that a reader of screens begins there.
    private static func notice(_ request: PageRequest) -> String? {
        request.isForm ? nil : notices[request.done]
    }

    /// What a page says at its top after something was done; a cookie names it, and nothing else can be said.
    private static let notices = [
        "registered": "Your account is registered, and you are signed in. Add your first user.",
        "added": "The user is added.", "saved": "The user is saved.", "signed-out": "You are signed out.",
        "password": "The password is changed. Sign in with it.",
        "bookmarks": "The bookmarks are saved. Devices have them with their next sync.",
    ]
}
