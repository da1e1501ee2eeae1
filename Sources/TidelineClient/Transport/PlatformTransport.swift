// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The transport that fits the platform.
public enum PlatformTransport {
    /// AsyncHTTPClient on Linux, URLSession elsewhere; one for the whole process.
    public static let shared: any Transport = {
        #if os(Linux)
        AsyncHTTPClientTransport.shared
        #else
        URLSessionTransport()
        #endif
    }()
}
