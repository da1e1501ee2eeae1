// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineService

/// The secret that signs delta and skip tokens: 32 random bytes in a file that only its owner reads.
public enum SigningKey {
    /// Reads the key; makes it at the first start.
    ///
    /// - Throws: ``ServerError`` with `data`.
    public static func load(from path: String) throws(ServerError) -> [UInt8] {
        if FileStamp(path: path) == nil {
            var generator = SystemRandomNumberGenerator()
            let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            do {
                try AtomicFile.write(key, to: path, permissions: 0o600)
            } catch {
                throw ServerError(.data, "The signing key cannot be stored. \(error.message)")
            }
        }
        // Read back even when just made: of two servers that start at once, one key wins for both.
        let key: [UInt8]
        do {
            key = try AtomicFile.read(path)
        } catch {
            throw ServerError(.data, "The signing key cannot be read. \(error.message)")
        }
        guard key.count >= 32 else {
            throw ServerError(
                .data,
                "The signing key \(path) is damaged. Remove it; a new one is made at the next start."
            )
        }
        return key
    }
}
