// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The cookies of the service's pages: for these pages alone, out of the reach of scripts, and not sent from other sites.
struct PageCookies: Sendable {
    /// Tokens of the account that is signed in: `<access>.<refresh>`.
    static let account = "tideline_account"
    /// What was done, for the page that comes next.
    static let done = "tideline_done"
    /// For how many seconds that is news: a page that never came is not told of it later.
    static let doneSeconds = 60

    /// Where they are sent: `/service/sixbookmarks/`.
    let path: String
    let isSecure: Bool

    /// A cookie that ends with the browser's session, or after some seconds.
    func set(_ name: String, _ value: String, seconds: Int? = nil) -> String {
        "\(name)=\(value)" + (seconds.map { "; Max-Age=\($0)" } ?? "") + attributes
    }

    func remove(_ name: String) -> String { "\(name)=; Max-Age=0" + attributes }

    private var attributes: String { "; Path=\(path); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    /// The value of a cookie of a request; the first, where several have the name.
    static func value(_ name: String, in fields: HTTPFields) -> String? {
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard trimmed.hasPrefix(name + "=") else { continue }
                return String(trimmed.dropFirst(name.count + 1))
            }
        }
        return nil
    }
}
