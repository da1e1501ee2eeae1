// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct MemberNamesTests {
    @Test func `each name is new once, among few and among many`() {
        var names = MemberNames()
        for number in 0..<40 {
            let asked = ["name \(number)", "name \(number)", "name 0", "name \(number / 2)"]
            #expect(asked.map { names.insert($0) } == [true, false, false, false])
        }
    }

    @Test(arguments: [2, 16, 17, 30])
    func `a member that is there twice is refused, however many there are`(count: Int) {
        let members = (1...count).map { "\"@note.n\($0)\":1" } + ["\"@note.n\(count / 2)\":2"]
        let type = EntityType(
            names: Names(wire: "Thing"),
            properties: [Property(names: Names(wire: "Id"), type: .int32)],
            key: [0]
        )
        let failure = #expect(throws: ODataError.self) {
            try EntityBodyReader(type: type).read(Array("{\(members.joined(separator: ","))}".utf8))
        }
        #expect(failure?.message == "@note.n\(count / 2) is there twice.")
    }
}
