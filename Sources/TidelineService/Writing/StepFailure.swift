// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData
import TidelineStorage

/// Why a step did not go through.
struct StepFailure: Error {
    var error: ODataError
    /// The store's own error, where it is one.
    var storage: StorageError?

    init(_ error: any Error) throws {
        switch error {
        case let error as ODataError: self.error = error
        case let error as StorageError:
            self.error = ODataError(error)
            storage = error
        default: throw error
        }
    }

    /// The error that was thrown.
    var cause: any Error { storage ?? error }

    /// Whether another order of the group's steps may let it through: a value is freed later, a parent made later.
    var mayPassLater: Bool {
        [
            ServiceCode.duplicateKey, ServiceCode.duplicateValue, ServiceCode.missingReference,
            ServiceCode.policyViolation,
        ].contains(error.code)
    }
}
