// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The name of this machine, for the service's list of devices.
enum HostName {
    static var text: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
