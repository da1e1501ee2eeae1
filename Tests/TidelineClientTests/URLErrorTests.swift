// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Testing

@testable import TidelineClient

/// What the failures of URLSession are for who asked.
struct URLErrorTests {
    private func failure(_ code: URLError.Code, hasBegun: Bool = false, keepsContent: Bool = false) -> ClientError {
        ClientError(URLError(code), host: "h.example", hasBegun: hasBegun, keepsContent: keepsContent)
    }

    /// Who is cancelled is told by the transport; a challenge that is turned down has the same code.
    @Test func `what somebody else cancelled is a connection that ended`() {
        #expect(failure(.cancelled) == .interrupted())
    }

    @Test(arguments: [URLError.Code.networkConnectionLost, .badServerResponse, .cannotParseResponse])
    func `a connection that ended is told as one`(code: URLError.Code) {
        #expect(failure(code) == .interrupted())
        #expect(failure(code, keepsContent: true) == .interrupted())
    }

    @Test func `a time-out names the host`() {
        #expect(failure(.timedOut) == .timedOut("h.example"))
    }

    @Test func `an answer without a code of its own is cut off where it had begun`() {
        #expect(failure(.unknown, hasBegun: true) == .interrupted())
        #expect(failure(.unknown).code == .unreachable)
    }

    @Test(arguments: [URLError.Code.cannotFindHost, .cannotConnectToHost, .secureConnectionFailed])
    func `where no connection comes about, content that is all here was not sent`(code: URLError.Code) {
        let error = failure(code, keepsContent: true)
        #expect(error.code == .unreachable && error.isUnsent)
        #expect(!failure(code).isUnsent)
        #expect(!failure(.cancelled, keepsContent: true).isUnsent)
        #expect(!failure(.badURL, keepsContent: true).isUnsent)
    }
}
