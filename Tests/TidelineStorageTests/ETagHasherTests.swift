// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

struct ETagHasherTests {
    /// Key 00…0f, input 00 01 02… of the given length.
    ///
    /// Source: SipHash reference implementation, `vectors.h`, `vectors_sip128`.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (2, "8177228da4a45dc7fca38bdef60affe4"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
        (8, "3b62a9ba6258f5610f83e264f31497b4"), (9, "264499060ad9baabc47f8b02bb6d71ed"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
        (31, "2939b0183223fafc1723de4f52c43d35"), (32, "7c3956ca5eeafc3e363e9d556546eb68"),
        (47, "e61c432b720b19d18ec8d84bdc63151b"), (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
    func `the published vectors come out, whole and in two pieces`(length: Int, expected: String) {
        for cut in [0, length / 3] {
            var hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
            let input = (0..<length).map(UInt8.init)
            unsafe Array(input[..<cut]).withUnsafeBytes { unsafe hash.combine(bytes: $0) }
            unsafe Array(input[cut...]).withUnsafeBytes { unsafe hash.combine(bytes: $0) }
            let (first, second) = hash.finish()
            let bytes =
                (0..<8).map { UInt8(truncatingIfNeeded: first >> UInt64($0 * 8)) }
                + (0..<8).map { UInt8(truncatingIfNeeded: second >> UInt64($0 * 8)) }
            let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(text == expected)
        }
    }

    private func etag(key: UInt8 = 1, _ body: (inout ETagHasher) -> Void) -> ETag {
        var hasher = ETagHasher(key: Array(repeating: key, count: 16))
        hasher.begin()
        body(&hasher)
        return hasher.finish()
    }

    private func text(_ text: String, at place: Int, _ hasher: inout ETagHasher) {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe hasher.text($0, at: place) }
    }

    @Test func `place, type, boundaries and key all count`() {
        let etags: [ETag] = [
            etag { _ in }, etag { $0.integer(1, at: 0) }, etag { $0.integer(1, at: 1) },
            etag { $0.boolean(true, at: 0) },
            etag { $0.boolean(false, at: 0) }, etag { $0.double(1, at: 0) }, etag { text("1", at: 0, &$0) },
            etag {
                text("ab", at: 0, &$0); text("c", at: 1, &$0)
            },
            etag {
                text("a", at: 0, &$0); text("bc", at: 1, &$0)
            },
            etag { text("", at: 0, &$0) }, etag { text("a", at: 0, &$0) }, etag { text("a\0", at: 0, &$0) },
            etag(key: 2) { $0.integer(1, at: 0) },
        ]
        #expect(Set(etags).count == etags.count)
    }

    @Test func `beginning again forgets what was before, and minus zero is zero`() {
        var hasher = ETagHasher(key: [1])
        hasher.begin()
        hasher.integer(5, at: 0)
        hasher.begin()
        hasher.double(-0.0, at: 0)
        let again = hasher.finish()
        hasher.begin()
        hasher.double(0, at: 0)
        #expect(hasher.finish() == again)
    }
}
