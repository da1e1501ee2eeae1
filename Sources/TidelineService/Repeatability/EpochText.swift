// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineStorage

/// What `Tideline-Epoch` says: the epoch of the record of changes, and which publication of the domain that is of.
///
///     9b1f…c4-5d2e8f01a7b3c694     epoch, publication
///
/// A backup that is put back begins another epoch of the same publication, and remembers of each client what its rows
/// contain. Another publication remembers nothing, and its rows may contain what was sent before.
enum EpochText {
    static func text(_ reader: any StoreReader) throws -> String {
        let epoch = try reader.position().epoch
        guard let key = try reader.publicationKey() else { return epoch }
        return "\(epoch)-\(publication(key))"
    }

    /// The epoch alone, as a store tells it.
    static func epoch(of text: String) -> String { String(text.prefix { $0 != "-" }) }

    /// The key stays here: a hash of it is told.
    private static func publication(_ key: [UInt8]) -> String {
        var hasher = SHA256()
        hasher.update(data: Array("publication".utf8) + key)
        return Array(hasher.finalize()).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}
