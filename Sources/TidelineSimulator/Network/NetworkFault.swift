// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a network does to one exchange.
package enum NetworkFault: String, CaseIterable, Sendable {
    /// The request never arrives.
    case dropBefore
    /// The service does what was asked, and the answer is lost.
    case dropAfter
    /// The client has given up when the request arrives at last.
    case late
    /// The request arrives twice; the first answer comes back.
    case duplicate
    /// The request arrives again long after the answer to it.
    case echoed
    /// The answer ends in its middle, and nobody notices below.
    case truncate
    /// The answer ends in its middle, and the connection with it.
    case cut
    /// The answer is no longer what was sent.
    case damage
    /// The page of a captive portal, with status 200.
    case portal
    /// An answer of a proxy or of a busy server: the request was not executed.
    case status
    /// A proxy gives the answer that it kept of an earlier request for the same, where it has one.
    case replay
}
