// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an error says to a person.
enum SystemReason {
    /// A sentence: the system's own where it has one, for Foundation's errors show their inside.
    static func text(_ error: any Error) -> String {
        let outer = error as NSError
        let cause = (outer.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? outer
        if cause.domain == NSPOSIXErrorDomain { return unsafe String(cString: strerror(Int32(cause.code))) + "." }
        guard error is CocoaError || error is DecodingError || outer.domain == NSCocoaErrorDomain else {
            return "\(error)"
        }
        return outer.localizedDescription
    }
}
