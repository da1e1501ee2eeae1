// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Secrets that end with the process.
public final class MemorySecrets: SecretStore {
    private let secrets = Mutex<[String: [UInt8]]>([:])

    public init() {}

    public func secret(_ name: String) -> [UInt8]? { secrets.withLock { $0[name] } }

    public func keep(_ secret: [UInt8], as name: String) { secrets.withLock { $0[name] = secret } }

    public func remove(_ name: String) { secrets.withLock { $0[name] = nil } }
}
