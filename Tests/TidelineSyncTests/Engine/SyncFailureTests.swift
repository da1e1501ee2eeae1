// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineOData
import TidelineStore
import TidelineSync

/// What a person is told of an error that is none of a sync's own.
struct SyncFailureTests {
    private struct Silent: Error {
        let member = "inside"
    }

    private struct Worded: Error, CustomStringConvertible {
        let member = "inside"
        let description = "The tide is out."
    }

    private struct Localized: LocalizedError {
        let member = "inside"
        let errorDescription: String? = "The boat is gone"
    }

    @Test func `an error that has a text says it, and ends as a sentence does`() {
        #expect(SyncFailure(Worded()).message == "The sync failed: The tide is out.")
        #expect(SyncFailure(Localized()).message == "The sync failed: The boat is gone.")
        let refused = ODataError(code: "Low", message: "The water is low.")
        #expect(SyncFailure(refused).message == "The sync failed: The water is low.")
    }

    @Test func `of an error without a text the type is named, and no member is shown`() {
        let failure = SyncFailure(Silent())
        #expect(failure.code == "unknown")
        #expect(failure.message.hasPrefix("The sync failed: an error of the type TidelineSyncTests."))
        #expect(failure.message.hasSuffix("Silent."))
        #expect(!failure.message.contains("inside"))
    }
}
