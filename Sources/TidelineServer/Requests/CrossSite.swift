// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Tells requests that a page of another site makes a browser send.
///
/// A browser sends some of them without asking the server first. Where nobody signs in, as in an open domain on the
/// user's own machine, any page in the user's browser could change data.
enum CrossSite {
    /// Whether the request comes from a page of another site; a program that is no browser says nothing of this.
    ///
    /// Source: Fetch Metadata Request Headers, section 2.3; RFC 6454, section 7.
    static func sent(_ request: HTTPRequest) -> Bool {
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headerFields[name]?.lowercased() {
            return site != "same-origin" && site != "none"
        }
        guard let origin = request.headerFields[.origin]?.lowercased() else { return false }
        guard let authority = request.authority?.lowercased() else { return true }
        return origin != "http://\(authority)" && origin != "https://\(authority)"
    }
}
