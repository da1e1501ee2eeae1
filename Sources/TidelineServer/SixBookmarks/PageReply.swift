// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What a page answers.
enum PageReply: Sendable {
    /// HTML for the middle of the frame.
    case page(title: String, html: String, status: HTTPResponse.Status = .ok)
    /// Another page, asked for with GET.
    case redirect(String)
    /// The account has signed in: its tokens, and the page to go to.
    case signedIn(String, to: String)
    case signedOut(to: String)
    /// Another page, asked for with GET, and a mail that is sent meanwhile: how long that takes tells nobody anything.
    case mailed(to: String, Mail?)
}
