// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A transaction that the server refused, or that depends on one: nothing of it is lost.
///
/// Its rows stay as the user made them until it is sent again or discarded.
public struct QuarantinedTransaction: Hashable, Sendable, Identifiable {
    public var id: Int64
    /// The number under which it was sent last, or a later one that keeps it behind what it builds on.
    public var number: Int64
    /// The stable code of the refusal, such as `DuplicateValue`; `DependsOnQuarantined` for a dependant; `LeftScope`;
    /// `ConflictOfCopy` where the store is a copy, and what waited in it meets a change of the service, or comes after what
    /// did; `RepeatabilityMismatch` where another copy of the store has sent it in another form; `OutcomeUnknown` where it
    /// was sent without an answer, and is too large now; `StatementTimeout` where the service gave it up at its limit of time
    /// at each try; `InternalError`, or what the service says, where it failed of it (500) at each try; `FallsWithDeletion`
    /// where it names a row that falls on the service with one which it deletes before, so that it was refused twice and met
    /// no change; `PreconditionFailed` where it was refused so and deletes nothing; `Undecided` where a service may have done
    /// it that remembers nothing of it: it was sent and not answered, or another copy of the store may have sent it, and the
    /// domain was published anew since, or a briefcase brought it.
    public var code: String
    /// The server's sentence.
    public var message: String
    /// The HTTP status, or 0 where the device decided.
    public var status: Int
    /// The entry that this one depends on, or `nil`.
    public var dependsOn: Int64?
    public var changes: [Change]

    public init(
        id: Int64,
        number: Int64,
        code: String,
        message: String,
        status: Int,
        dependsOn: Int64?,
        changes: [Change]
    ) {
        self.id = id
        self.number = number
        self.code = code
        self.message = message
        self.status = status
        self.dependsOn = dependsOn
        self.changes = changes
    }
}
