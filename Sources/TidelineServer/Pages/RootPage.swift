// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Mustache
import TidelineOData

/// The page at `/`: what is running, and what to do with it.
struct RootPage {
    /// A domain, as its card shows it.
    ///
    /// Mustache reads the names.
    struct DomainView {
        var name: String
        var isOpen: Bool
        var isUnavailable: Bool
        var root: String
        var sets: [SetView]
        var setsText: String
        var clone: String
        var query: String?
        var signIn: String
        /// What is insecure about a door of the domain for older clients.
        var insecure: String?
    }

    /// An entity set of an open domain, linked.
    struct SetView {
        var name: String
        var href: String
        var isReadOnly: Bool
    }

    /// An app that this server brings, with a domain of it to work on.
    struct AppView {
        var name: String
        var href: String
        var icon: String
        /// What it is, in a sentence.
        var text: String
        /// Its page for signing in, where that is another one than `href`.
        var signIn: String?
        var links: [LinkView] = []
        var hasLinks: Bool { !links.isEmpty }
    }

    /// A link to a page of an app.
    struct LinkView {
        var name: String
        var href: String
    }

    private struct View {
        var version: String
        var summary: String
        var isHealthy: Bool
        var hasApps: Bool
        var apps: [AppView]
        var hasDomains: Bool
        var domains: [DomainView]
        var uptime: String
        var started: String
        var transport: String
        var base: String
    }

    private let template: MustacheTemplate

    /// - Throws: when the template has an error, which its test would show.
    init() throws {
        template = try MustacheTemplate(string: RootTemplate.text)
    }

    /// The page in HTML.
    ///
    /// - Parameters:
    ///   - apps: what there is to try.
    ///   - base: the address of the server as the browser knows it, with a slash at its end.
    ///   - uptime: how long the server has been running.
    ///   - started: when it started, in seconds after 1970.
    func html(
        apps: [AppView],
        domains: [DomainView],
        base: String,
        uptime: Duration,
        started: Int64,
        isSecure: Bool
    ) -> String {
        let broken = domains.count(where: \.isUnavailable)
        let count = domains.count == 1 ? "1 domain" : "\(domains.count) domains"
        let view = View(
            version: Release.version,
            summary: broken == 0 ? "\(count) served" : "\(count), \(broken) unavailable",
            isHealthy: broken == 0,
            hasApps: !apps.isEmpty,
            apps: apps,
            hasDomains: !domains.isEmpty,
            domains: domains,
            uptime: Self.text(uptime),
            started: UTCText.minute(started),
            transport: isSecure ? "TLS" : "plain HTTP, sign-in from this machine only",
            base: base
        )
        return template.render(view)
    }

    /// A duration as people say it.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        switch seconds {
        case ..<60: return "\(max(0, seconds)) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }
}
