// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineModel

struct HexadecimalTests {
    @Test(arguments: [([], ""), ([0], "00"), ([0x0F, 0xA0, 0xFF], "0fa0ff"), ([0x5B], "5b")] as [([UInt8], String)])
    func `bytes are pairs of digits in lower case`(bytes: [UInt8], text: String) {
        #expect(Hexadecimal.text(bytes) == text)
    }
}
