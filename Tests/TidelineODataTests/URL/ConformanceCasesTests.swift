// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

@testable import TidelineOData

struct ConformanceCasesTests {
    @Test(.enabled(if: GrammarCases.file != nil, "The test cases of the OData grammar are not at hand."))
    func `every case of the grammar is taken or refused as it says, with its names`() throws {
        let cases = try GrammarCases.load(try #require(GrammarCases.file))
        let rules = GrammarRules(names: cases.names)
        var right = 0
        var refused = 0
        var atTheirPlace = 0
        for entry in cases.TestCases {
            do throws(ODataError) {
                guard try rules.read(entry.Rule, entry.Input) else {
                    Issue.record("The rule \(entry.Rule) leads nowhere.")
                    continue
                }
                if entry.FailAt == nil {
                    right += 1
                } else {
                    Issue.record("\(entry.Rule): \(entry.Input) should be refused")
                }
            } catch {
                if let place = entry.FailAt {
                    right += 1
                    refused += 1
                    if (error.position ?? error.offset) == place { atTheirPlace += 1 }
                } else {
                    Issue.record(
                        "\(entry.Rule): \(entry.Input): \(error.message) at \(error.position ?? error.offset ?? -1)"
                    )
                }
            }
        }
        print(
            "Grammar: \(right) of \(cases.TestCases.count) right; \(atTheirPlace) of \(refused) refused at their place."
        )
        #expect(cases.TestCases.count == 840)
        #expect(right == cases.TestCases.count)
    }
}
