// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineOData

/// Why a request to a service did not succeed: what happened and what to do about it.
public struct ClientError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The address is no address of a service.
        case invalidAddress
        /// No connection could be made.
        case unreachable
        /// No answer came in time.
        case timedOut
        /// The connection ended before the answer was whole.
        case interrupted
        /// The answer was not made by an OData service: a sign-in page of the network, for example.
        case notOData
        /// The answer is of a service, but cannot be read.
        case unreadableAnswer
        /// The service sends to another origin, where no token may go.
        case redirected
        /// Nobody is signed in, or the sign-in has ended.
        case signInRequired
        /// The name or the password is wrong.
        case wrongCredentials
        /// A password or token would travel in the clear.
        case insecure
        /// The user may not do this.
        case forbidden
        /// There is no such resource.
        case notFound
        /// What the request builds on is not served any more.
        case gone
        /// A precondition does not hold: the entity has changed.
        case preconditionFailed
        /// The request or the answer is too large.
        case tooLarge
        /// The service asks to come back later.
        case busy
        /// The service failed.
        case serverFailure
        /// The service refused the request for another reason.
        case refused
        /// A file on this machine could not be read or written.
        case file
    }

    public var code: Code
    /// What happened, a sentence.
    public var message: String
    /// What to do next, a sentence.
    public var advice: String
    /// The status of the answer, where one came.
    public var status: Int?
    /// What the service said, where it said something.
    public var service: ODataError?
    /// How long the service asks to wait.
    public var retryAfter: Duration?
    /// Whether it is sure that nothing of the request's content has left this device, so that nobody can have done it.
    ///
    /// A transport says so where it knows it of the failure itself: the name was not found, the connection refused, its
    /// TLS not agreed on. Where it may have been sent, as over a connection that was there and then failed, it is false.
    public var isUnsent: Bool

    public init(
        _ code: Code,
        _ message: String,
        advice: String,
        status: Int? = nil,
        service: ODataError? = nil,
        retryAfter: Duration? = nil,
        isUnsent: Bool = false
    ) {
        self.code = code
        self.message = message
        self.advice = advice
        self.status = status
        self.service = service
        self.retryAfter = retryAfter
        self.isUnsent = isUnsent
    }

    /// Whether the same request may succeed later, with nothing changed: the outcome of this one is not known.
    public var isTransient: Bool {
        switch code {
        case .unreachable, .timedOut, .interrupted, .unreadableAnswer, .busy, .serverFailure: true
        case .invalidAddress, .notOData, .redirected, .signInRequired, .wrongCredentials, .insecure, .forbidden,
            .notFound, .gone, .preconditionFailed, .tooLarge, .refused, .file:
            false
        }
    }
}

extension ClientError: CustomStringConvertible {
    public var description: String { advice.isEmpty ? message : "\(message) \(advice)" }
}
