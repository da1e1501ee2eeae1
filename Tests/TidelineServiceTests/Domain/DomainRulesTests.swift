// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineService

/// Rules of entity types in a domain's file.
struct DomainRulesTests {
    private func yaml(_ rules: String) -> String {
        """
        format: 1
        name: t
        database: {kind: sqlite, path: x}
        open: true
        namespace: T
        sets:
          - name: Trips
            type: Trip
            table: trips
            key: [Id]
            properties:
              - {name: Id, type: Int32, nullable: false}
              - {name: Start, type: Date}
              - {name: End, type: Date}
            rules:
        \(rules.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
        """
    }

    @Test func `a domain's file says them and is written as it was read`() throws {
        let domain = try Domain(
            yaml: yaml(
                """
                - {name: Dates, condition: "End ge Start", message: "The end: before the start.", properties: [Start, End]}
                - {name: Year, condition: "Start eq null or year(Start) gt 2000", message: "Too early."}
                """
            )
        )
        #expect(
            domain.model.sets[0].type.rules == [
                EntityRule(
                    name: "Dates",
                    condition: .binary(.greaterOrEqual, .path(["End"]), .path(["Start"])),
                    message: "The end: before the start.",
                    properties: ["Start", "End"]
                ),
                EntityRule(
                    name: "Year",
                    condition: .binary(
                        .or,
                        .binary(.equal, .path(["Start"]), .literal(.null)),
                        .binary(.greaterThan, .call(.year, [.path(["Start"])]), .literal(.integer(2000)))
                    ),
                    message: "Too early."
                ),
            ]
        )
        #expect(try Domain(yaml: domain.yaml) == domain)
    }

    @Test(arguments: [
        (#"- {name: A, condition: "Nope gt 1", message: m}"#, 16, "The rule A of Trips cannot be used: "),
        (#"- {name: A, condition: "Start", message: m}"#, 16, "The rule A of Trips cannot be used: "),
        (#"- {name: A, condition: "Id eq @me", message: m}"#, 16, "The rule A of Trips cannot be used: it speaks"),
        (#"- {name: A, condition: "Id gt", message: m}"#, 16, "The rule A of Trips cannot be used: "),
        (#"- {name: A B, condition: "Id gt 1", message: m}"#, 16, "sets[1].rules[1].name is \"A B\""),
        (#"- {name: A, condition: "Id gt 1"}"#, 16, "sets[1].rules[1] lacks \"message\""),
        (#"- {name: A, condition: "Id gt 1", message: m, properties: [No]}"#, 16, "Trips has no property No"),
        (
            "- {name: A, condition: \"Id gt 1\", message: m}\n- {name: A, condition: \"Id gt 2\", message: m}", 17,
            "Trips has two rules named A."
        ),
    ])
    func `a rule that cannot be kept is refused with its line`(rules: String, line: Int, message: String) {
        let error = #expect(throws: DomainError.self) { try Domain(yaml: yaml(rules)) }
        #expect(error?.line == line)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}
