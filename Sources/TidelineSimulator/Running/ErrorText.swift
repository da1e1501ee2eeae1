// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStorage
import TidelineStore
import TidelineSync

/// Errors in a trace: their codes, for messages may name files and numbers of this process.
enum ErrorText {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as ClientError: "\(error.code)\(error.status.map { " \($0)" } ?? "")"
        case let error as SyncError: "\(error.code)"
        case let error as LocalStoreError: "\(error.code)"
        case let error as StorageError: "\(error.code)"
        case is CancellationError: "cancelled"
        default: "\(type(of: error))"
        }
    }
}
