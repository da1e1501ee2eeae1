// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineClient

struct TransportErrorTests {
    /// What NIOSSL said of a port that speaks HTTP, of one that answers in it, of a certificate of our own, and of a name.
    @Test(
        arguments: [
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error:  EOF during handshake]))",
                "It does not answer in TLS."
            ),
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435703 error:100000f7:SSL "
                    + "routines:OPENSSL_internal:WRONG_VERSION_NUMBER at ssl_record.cc:200]))",
                "It does not answer in TLS."
            ),
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435581 error:1000007d:SSL "
                    + "routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at handshake.cc:298]))",
                "Its certificate is not trusted here, or is that of another name."
            ),
            (
                "NIOSSLExtraError.failedToValidateHostname: Couldn't find <none> in certificate from peer",
                "Its certificate is not trusted here, or is that of another name."
            ),
        ] as [(String, String)]
    )
    func `a TLS connection that does not come about is told in words of ours`(cause: String, told: String) throws {
        let error = try #require(ClientError.noTLS("example.org:8080", cause))
        #expect(error.code == .unreachable)
        #expect(error.isUnsent)
        #expect(error.message == "No connection to example.org:8080. \(told)")
        #expect(error.advice.hasPrefix("Check the address"))
    }

    @Test(arguments: ["uncleanShutdown", "readInInvalidTLSState"])
    func `a TLS connection that ends later is no such failure`(cause: String) {
        #expect(ClientError.noTLS("example.org", cause) == nil)
    }
}
