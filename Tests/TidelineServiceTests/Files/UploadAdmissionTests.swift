// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineService

/// What is asked before the body of an upload is taken.
struct UploadAdmissionTests {
    private static let own = [
        Policy(role: "*", sets: ["Docs"], operations: [.read], where: "OwnerId eq @me or Id eq 2"),
        Policy(role: "*", sets: ["Docs"], operations: [.update], where: "OwnerId eq @me and Id ne 3"),
        Policy(role: "*", sets: ["Pictures"], operations: [.read]),
    ]

    @Test func `who may not change a stream is told so before a byte of it is taken`() throws {
        let album = try Album(Self.own)
        #expect(try album.ask(.put, "Docs(1)/Photo") == "accepted")
        #expect(try album.ask(.put, "Docs(1)/Photo/$value") == "accepted")
        // Seen, and not to be changed: another's, and one that the policy of changes leaves out.
        #expect(try album.ask(.put, "Docs(2)/Photo") == "403 PolicyViolation")
        #expect(try album.ask(.put, "Docs(3)/Photo") == "403 PolicyViolation")
        #expect(try album.ask(.put, "Docs(9)/Photo") == "404 NotFound")
        #expect(try album.ask(.post, "Pictures") == "403 AccessDenied")
        #expect(try album.ask(.put, "Nothing(1)/Photo") == "404 NotFound")
        #expect(try album.ask(.put, "Docs(1)") == "none")
        #expect(album.files.isEmpty)
    }

    @Test func `a hidden entity is refused as an absent one`() throws {
        let album = try Album([
            Policy(role: "*", sets: ["Docs"], operations: [.read, .update], where: "OwnerId eq @me")
        ])
        #expect(try album.ask(.put, "Docs(2)/Photo") == "404 NotFound")
        #expect(
            try album.ask(.put, "Docs(2)/Photo", ["If-Match": "*"])
                == album.ask(.put, "Docs(9)/Photo", ["If-Match": "*"])
        )
        #expect(try album.ask(.post, "Pictures") == album.ask(.post, "Nothing"))
    }

    @Test func `the version is compared before a byte is taken`() throws {
        let album = try Album(Self.own, requiresIfMatch: true)
        #expect(try album.ask(.put, "Docs(1)/Photo") == "428 PreconditionRequired")
        #expect(
            try album.ask(.put, "Docs(1)/Photo", ["If-Match": "W/\"AAAAAAAAAAAAAAAAAAAAAA\""])
                == "412 PreconditionFailed"
        )
        #expect(try album.ask(.put, "Docs(1)/Photo", ["If-Match": "*"]) == "accepted")
        #expect(try album.ask(.put, "Docs(9)/Photo", ["If-Match": "*"]) == "412 PreconditionFailed")
        #expect(try album.ask(.put, "Docs(1)/Photo", ["If-None-Match": "*"]) == "412 PreconditionFailed")
    }

    @Test func `a request that may be a repetition is not refused for what it did itself`() throws {
        let album = try Album(Self.own, requiresIfMatch: true)
        let again = ["Repeatability-Request-ID": "1", "If-Match": "W/\"AAAAAAAAAAAAAAAAAAAAAA\""]
        #expect(try album.ask(.put, "Docs(1)/Photo", again) == "accepted")
    }
}
