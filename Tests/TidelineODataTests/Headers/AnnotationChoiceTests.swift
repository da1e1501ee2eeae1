// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineOData

/// Which entry of `include-annotations` decides: Protocol 4.01, section 8.2.8.4.
struct AnnotationChoiceTests {
    @Test(
        arguments: [
            ("*", "a.b", nil, true), ("-*", "a.b", nil, false),
            ("display.*", "display.subject", nil, true), ("display.*", "display.more.subject", nil, true),
            ("display.*", "displays.subject", nil, false), ("display.*", "Core.Description", nil, false),
            ("display.subject", "display.subject", nil, true), ("display.subject", "display.subject", "Tablet", true),
            ("display.subject", "display.subjects", nil, false),
            ("display.*#Tablet", "display.subject", "Tablet", true),
            ("display.*#Tablet", "display.subject", nil, false),
            ("display.*#Tablet", "display.subject", "Phone", false),
            // A name before a pattern, a longer pattern before a shorter one, in any order.
            ("*,-display.*", "display.subject", nil, false), ("-display.*,*", "display.subject", nil, false),
            ("-*,display.subject", "display.subject", nil, true), ("-display.*,display.a.*", "display.a.b", nil, true),
            ("display.a.*,-display.*", "display.a.b", nil, true),
            ("display.*,-display.subject", "display.subject", nil, false),
            ("display.subject,-display.subject#Tablet", "display.subject", "Tablet", false),
            ("display.subject,-display.subject#Tablet", "display.subject", "Phone", true),
            // Where nothing is asked for, what is not named stays.
            ("-display.*", "Core.Description", nil, true),
            // A standard vocabulary under its alias or its name.
            ("Core.*", "Org.OData.Core.V1.Description", nil, true),
            ("Org.OData.Core.V1.Description", "Core.Description", nil, true),
            ("Org.OData.*,-Core.Description", "Core.Description", nil, false),
            ("Org.OData.*", "Measures.Unit", nil, true),
        ] as [(String, String, String?, Bool)]
    )
    func `the most specific entry decides`(list: String, term: String, qualifier: String?, isIncluded: Bool) throws {
        let choice = AnnotationChoice(try AnnotationPattern.list(parsing: list))
        #expect(choice.includes(term, qualifier: qualifier) == isIncluded)
    }
}
