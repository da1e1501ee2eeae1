// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One order of sets and dictionaries for every process, so that a seed decides all.
enum SteadyHashing {
    private static let name = "SWIFT_DETERMINISTIC_HASHING"

    /// Begins this program again with the same arguments, where its hashing differs from process to process.
    static func require() {
        guard ProcessInfo.processInfo.environment[name] != "1" else { return }
        unsafe setenv(name, "1", 1)
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        // It returns only where it fails; then the run is only not sure to be the same again.
        unsafe _ = execv(path, arguments)
    }
}
