// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStore

/// How an exchange failed, as far as the machine has to know.
enum Fault: Error {
    /// It may succeed later; whether the service did something is not known.
    case transient(ClientError)
    /// The request was too large (413); the service did nothing.
    case tooLarge(ClientError)
    /// What the request builds on is not served any more (410).
    case gone(ClientError)
    /// A set cannot be loaded as the store asks for it, and others can: it is not what it was when the store was made, or
    /// the service refuses the request.
    case unfit(any Error)
    /// Another sync of the same store came between: what was received so far is not to be applied, and what was read of the
    /// outbox not to be sent.
    case overtaken
    /// It will not succeed by itself: sign-in, the store, a programming error, or cancelled.
    case fatal(any Error)

    init(_ error: any Error) {
        guard let error = error as? ClientError else {
            self = error is PullClaim.Lost || error is PushAttempt.Lost ? .overtaken : .fatal(error)
            return
        }
        switch error.code {
        case .tooLarge where error.status == 413: self = .tooLarge(error)
        case .gone: self = .gone(error)
        default: self = error.isTransient ? .transient(error) : .fatal(error)
        }
    }

    /// The error that a caller of the sync sees.
    var cause: any Error {
        switch self {
        case .transient(let error), .tooLarge(let error), .gone(let error): error
        case .unfit(let error), .fatal(let error): error
        case .overtaken:
            LocalStoreError(.busy, message: "Another sync of the store came between each time. Sync again.")
        }
    }
}
