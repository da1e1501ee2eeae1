// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelinePostgres

/// What the tables of letters in our functions leave out.
struct ScalarTests {
    @Test func `beyond the first two planes nothing has a case or is white space`() {
        let low = PostgresFunctions.lowScalars.reduce(into: (count: 0, last: UInt32(0))) { seen, scalar in
            seen = (seen.count + 1, scalar.value)
        }
        // Without U+0000 and the surrogates.
        #expect(low.count == 0x1FFFF - 0x800)
        #expect(low.last == 0x1FFFF)
        let special = PostgresFunctions.scalars.filter { scalar in
            let properties = scalar.properties
            guard scalar.value > low.last else { return false }
            return properties.isWhitespace || properties.lowercaseMapping != String(scalar)
                || properties.uppercaseMapping != String(scalar)
        }
        #expect(special.isEmpty, "\(special)")
    }
}
