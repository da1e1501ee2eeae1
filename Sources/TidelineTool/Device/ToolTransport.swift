// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient

/// The transport of this platform.
enum ToolTransport {
    static func make() -> any Transport {
        #if os(Linux)
        AsyncHTTPClientTransport.shared
        #else
        URLSessionTransport()
        #endif
    }
}
