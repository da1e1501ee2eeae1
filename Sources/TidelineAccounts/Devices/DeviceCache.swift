// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Remembers for a few seconds what is noted of a device, so that a sync of many requests reads the store once.
final class DeviceCache: Sendable {
    private struct Entry {
        var device: Device
        var until: Int64
    }

    private struct Name: Hashable {
        var domain: String
        var client: String
    }

    /// How long an entry lives, in seconds: so late a revocation by another process is seen.
    static let lifeInSeconds: Int64 = 5
    private static let capacity = 16_384
    private let entries = Mutex<[Name: Entry]>([:])

    func device(_ client: String, domain: String, now: Int64) -> Device? {
        entries.withLock { entries in
            guard let entry = entries[Name(domain: domain, client: client)], entry.until > now else { return nil }
            return entry.device
        }
    }

    func keep(_ device: Device, now: Int64) {
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[Name(domain: device.domain, client: device.client)] = Entry(
                device: device,
                until: now + Self.lifeInSeconds
            )
        }
    }

    func removeAll() { entries.withLock { $0.removeAll() } }
}
