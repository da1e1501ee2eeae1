// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An answer that the client waits for a while before it lets it come later: `Prefer: respond-async, wait=10`.
///
/// The service blocks for nobody: who sends the answer waits, and sends what is there first.
///
///     whenReady → take() is the answer          the patience is over → the 202 that this hangs on
///
/// Source: RFC 7240, section 4.3; OData Protocol 4.01, section 8.2.8.10.
public struct PendingAnswer: Sendable {
    /// A connection is not kept waiting longer than this, whatever the client says.
    static let limit = Duration.seconds(60)

    /// How long the client waits.
    public let patience: Duration
    let deferral: Deferral
    let id: String
    let owner: String

    /// Has `receive` called once the answer is there, at once if it is already; not at all where it is given up.
    public func whenReady(_ receive: @escaping @Sendable () -> Void) {
        deferral.whenDone(id, receive)
    }

    /// The answer, if it is there: then its monitor is gone.
    public func take() -> ServiceResponse? {
        deferral.take(id, owner: owner)
    }
}
