// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The codes of errors that the service adds to those of the protocol.
///
/// Stable: programs switch on them.
package enum ServiceCode {
    package static let invalidToken = "InvalidToken"
    package static let requiredValue = "RequiredValue"
    package static let brokenRule = "BrokenRule"
    package static let invalidExpression = "InvalidExpression"
    package static let calculationFailed = "CalculationFailed"
    package static let invalidRepeatability = "InvalidRepeatability"
    package static let signInRequired = "SignInRequired"
    package static let accessDenied = "AccessDenied"
    package static let policyViolation = "PolicyViolation"
    package static let clientOfOtherUser = "ClientOfOtherUser"
    package static let methodNotAllowed = "MethodNotAllowed"
    package static let duplicateKey = "DuplicateKey"
    package static let duplicateValue = "DuplicateValue"
    package static let missingReference = "MissingReference"
    package static let constraintFailed = "ConstraintFailed"
    package static let preconditionFailed = "PreconditionFailed"
    package static let preconditionRequired = "PreconditionRequired"
    package static let failedDependency = "FailedDependency"
    package static let snapshotUnsupported = "SnapshotUnsupported"
    package static let repeatabilityMismatch = "RepeatabilityMismatch"
    package static let outsideRepeatabilityWindow = "OutsideRepeatabilityWindow"
    package static let alreadyDecided = "AlreadyDecided"
    package static let tooLarge = "TooLarge"
    package static let deltaExpired = "DeltaExpired"
    package static let epochChanged = "EpochChanged"
    package static let scopeChanged = "ScopeChanged"
    package static let logRestored = "LogRestored"
    package static let busy = "Busy"
    package static let databaseUnavailable = "DatabaseUnavailable"
    package static let statementTimeout = "StatementTimeout"
    package static let schemaChanged = "SchemaChanged"
    package static let storageFull = "StorageFull"
    package static let unreadableValue = "UnreadableValue"
    package static let internalError = "InternalError"
}
