// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The processor's cores that this process may use.
enum ProcessorCount {
    static var current: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
