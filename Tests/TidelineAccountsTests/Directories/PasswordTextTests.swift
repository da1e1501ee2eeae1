// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineAccounts

struct PasswordTextTests {
    static let cost = PasswordCost(rounds: 16, blockSize: 2, parallelism: 3)

    @Test func `a hash as text names its cost, and is read back as it was`() throws {
        let hash = try PasswordHash(password: "pāss $word", salt: Array(0..<16), cost: Self.cost)
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=2,p=3$AAECAwQFBgcICQoLDA0ODw$"))
        #expect(hash.text.utf8.count < 255)
        let again = try #require(PasswordHash(text: hash.text))
        #expect(again == hash)
        #expect(try again.matches("pāss $word"))
        #expect(try !again.matches("pāss $word "))
    }

    @Test(arguments: [
        "", "$", "secret", "$scrypt$ln=4,r=2,p=3$AAEC", "$scrypt$ln=4,r=2$AAEC$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=4,r=2,p=3$AAEC$AAEC", "$scrypt$ln=0,r=2,p=3$AAEC$AAECAwQFBgcICQoLDA0ODw",
        "$scrypt$ln=30,r=2,p=3$AAEC$AAECAwQFBgcICQoLDA0ODw", "$scrypt$ln=4,r=2,p=3$!!!!$AAECAwQFBgcICQoLDA0ODw",
        "$argon2id$ln=4,r=2,p=3$AAEC$AAECAwQFBgcICQoLDA0ODw", "$scrypt$ln=4,r=9999,p=3$AAEC$AAECAwQFBgcICQoLDA0ODw",
    ])
    func `what is no hash is none, and a cost that nobody could pay is refused`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
