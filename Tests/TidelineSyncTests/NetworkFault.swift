// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a network does to one exchange.
enum NetworkFault: String, CaseIterable, Sendable {
    /// The request never arrives.
    case dropBefore
    /// The connection is refused, so that nothing is sent.
    case refuse
    /// The service does what was asked, and the answer is lost.
    case dropAfter
    /// The answer ends in its middle.
    case truncate
    /// The request arrives twice; the second answer comes back.
    case duplicate
    /// The service asks to come back later.
    case busy
    /// A proxy or a captive portal answers.
    case html
    /// The service asks who it is.
    case unauthorized
}
