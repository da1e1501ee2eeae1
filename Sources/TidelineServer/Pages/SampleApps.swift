// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The apps that the server brings, each for a domain of its name.
enum SampleApps {
    /// Those that have a domain to work on.
    ///
    /// - Parameter domains: the names of the domains.
    static func on(_ domains: [String]) -> [RootPage.AppView] {
        all.filter { domains.contains($0.domain) }.map(\.view)
    }

    private static let all: [(domain: String, view: RootPage.AppView)] = [
        (
            "sixbookmarks",
            RootPage.AppView(
                name: "Six Bookmarks",
                href: "/apps/sixbookmarks/",
                icon: "/apps/sixbookmarks/icon.svg",
                text: "Six buttons that open your pages, on each of your devices. It works with the server stopped, "
                    + "and syncs when it is back."
            )
        ),
        (
            "sixbookmarks",
            RootPage.AppView(
                name: "The service of Six Bookmarks",
                href: "/service/sixbookmarks/",
                icon: "/assets/tideline.svg",
                text: "Register an account, add users, and change their bookmarks for them, in pages without a script.",
                signIn: "/service/sixbookmarks/sign-in"
            )
        ),
        (
            "fishing",
            RootPage.AppView(
                name: "Fishing",
                href: "/apps/fishing/",
                icon: "/apps/fishing/icon.svg",
                text: "Good spots on a coast, yours and those that others share, and which of them are near."
            )
        ),
    ]
}
