// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Addresses that never leave the machine.
public enum Loopback {
    /// Whether the text is such an address: `127.0.0.0/8`, `::1`, or `localhost`.
    public static func contains(_ address: String) -> Bool {
        var address = address.lowercased()
        if address == "localhost" || address == "::1" || address == "0:0:0:0:0:0:0:1" { return true }
        if address.hasPrefix("::ffff:") { address.removeFirst(7) }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) else { return false }
        return parts[0] == "127"
    }
}
