// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct RoundTripTests {
    @Test func `5,000 expressions made by chance read back as they were printed`() throws {
        for seed in UInt64(1)...5000 {
            var random = RandomExpression(seed: seed)
            let expression = random.next(3)
            let text = ExpressionPrinter.print(expression)
            let read = try? ExpressionParser.parse(text)
            // A search word with a semicolon and the like is printed as a phrase, so the texts are compared too.
            guard read == expression || read.map(ExpressionPrinter.print) == text else {
                Issue.record("seed \(seed): \(text) is read as \(read.map(ExpressionPrinter.print) ?? "nothing")")
                return
            }
        }
    }

    /// Found by fuzzing.
    @Test(arguments: ["6000000000000000e0", "-0e0", "5e0", "15e-1"])
    func `a floating-point number stays one when it is printed`(text: String) throws {
        let expression = try ExpressionParser.parse(text)
        #expect(try ExpressionParser.parse(ExpressionPrinter.print(expression)) == expression)
        guard case .literal(.double) = expression else {
            Issue.record("\(text) is a double")
            return
        }
    }

    /// Found by fuzzing.
    @Test func `the name of a custom option is encoded`() throws {
        let options = try QueryOptions(parsing: "a%3Db%23c=1")
        #expect(options.custom == ["a=b#c": "1"])
        #expect(try QueryOptions(parsing: options.text[...]) == options)
    }

    @Test func `2,000 sets of options made by chance read back from their URL`() throws {
        for seed in UInt64(1)...2000 {
            var random = RandomExpression(seed: seed &* 7919)
            var options = QueryOptions()
            if random.below(2) == 0 { options.filter = random.next(2) }
            if random.below(2) == 0 {
                options.orderBy = [OrderByItem(random.next(1), isDescending: random.below(2) == 0)]
            }
            if random.below(3) == 0 { options.compute = [ComputeItem(random.next(1), as: "C")] }
            if random.below(3) == 0 { options.search = .phrase("a b") }
            if random.below(2) == 0 { options.top = random.below(100) }
            if random.below(2) == 0 { options.count = true }
            var nested = options
            nested.levels = random.below(2) == 0 ? .max : .number(3)
            options.select = [
                .property("A"), .path(["N.T", "B"], options: QueryOptions()), .operations(namespace: "N"),
            ]
            options.expand = [
                ExpandItem(prefix: ["P"], navigation: "Nav", cast: "N.T", options: nested),
                ExpandItem(navigation: "*", content: .references),
            ]
            options.skipToken = "a&=%+#é"
            let text = options.text
            let read = try? QueryOptions(parsing: text[...])
            guard read?.text == text else {
                Issue.record("seed \(seed): \(text) is read as \(read?.text ?? "nothing")")
                return
            }
        }
    }
}
