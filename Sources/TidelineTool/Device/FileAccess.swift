// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks at files by their paths.
enum FileAccess {
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
