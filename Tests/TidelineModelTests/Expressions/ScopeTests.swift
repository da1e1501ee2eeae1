// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct ScopeTests {
    private static func path(_ property: Int, up: Int) -> TypedExpression {
        TypedExpression(node: .path(.init(property: property, up: up)), type: .int32)
    }

    @Test func `an expression one scope deeper names the same things`() {
        // any(x: x/0 eq outer/1), which stands inside another lambda afterwards.
        let body = TypedExpression(
            node: .binary(.equal, Self.path(0, up: 0), Self.path(1, up: 1)),
            type: .boolean
        )
        let lambda = TypedExpression(node: .lambda(.any, .entities(.init(navigations: [2])), body), type: .boolean)
        let moved = TypedExpression(
            node: .binary(.equal, Self.path(0, up: 0), Self.path(1, up: 2)),
            type: .boolean
        )
        #expect(
            lambda.deeper()
                == TypedExpression(
                    node: .lambda(.any, .entities(.init(navigations: [2], up: 1)), moved),
                    type: .boolean
                )
        )
    }

    @Test func `only paths of the entity itself are its paths`() {
        let body = TypedExpression(
            node: .binary(.equal, Self.path(0, up: 0), Self.path(1, up: 1)),
            type: .boolean
        )
        let lambda = TypedExpression(node: .lambda(.any, .entities(.init(navigations: [2])), body), type: .boolean)
        #expect(lambda.paths == [.init(property: 1)])
        #expect(lambda.looksAtCollections)
        #expect(!lambda.isTrackable)
    }
}
