// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension XMLWriter {
    /// A writer whose bytes are those of the services of version 2, which put a space before the end of an empty element.
    package static func likeVersion2() -> XMLWriter { XMLWriter(emptyEnd: " />") }
}
