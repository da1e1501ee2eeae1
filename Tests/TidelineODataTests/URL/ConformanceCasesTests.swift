// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TidelineOData

/// The published test cases of the grammar, where they are at hand: `TIDELINE_SHARED`, or `../shared` beside the package.
struct ConformanceCasesTests {
    private struct Cases: Decodable {
        struct Case: Decodable {
            var Name: String
            var Rule: String
            var Input: String
            var FailAt: Int?
        }
        var TestCases: [Case]
    }

    private static let file: URL? = {
        let given = ProcessInfo.processInfo.environment["TIDELINE_SHARED"].map { URL(filePath: $0) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        for folder in [given, package.appending(path: "../shared"), URL(filePath: "../shared")] {
            guard let folder else { continue }
            let file = folder.appending(path: "data/abnf/odata-abnf-testcases.json").standardizedFileURL
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }()

    /// Parses a case by its rule; `nil` for rules that have no counterpart here.
    private func parse(_ rule: String, _ input: String) -> Result<Void, ODataError>? {
        do throws(ODataError) {
            switch rule.lowercased() {
            case "commonexpr", "boolcommonexpr", "primitiveliteral":
                _ = try ExpressionParser.parse(try PercentCoding.decode(input[...]))
            case "filter", "orderby", "expand", "select", "skiptoken", "deltatoken", "queryoptions",
                "systemqueryoption":
                guard input.contains("=") else { return nil }
                _ = try QueryOptions(parsing: input[...])
            case "resourcepath":
                _ = try ResourcePath(parsing: input[...])
            case "odatarelativeuri":
                _ = try RequestTarget(parsing: input)
            default: return nil
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    @Test(.enabled(if: file != nil, "The test cases of the OData grammar are not at hand."))
    func `what the grammar takes is read or answered with 501, what it refuses is refused`() throws {
        let file = try #require(Self.file)
        let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).TestCases
        var read = 0
        var unsupported = 0
        var refused = 0
        for entry in cases {
            guard let result = parse(entry.Rule, entry.Input) else { continue }
            switch (result, entry.FailAt) {
            case (.success, nil): read += 1
            case (.failure(let error), nil) where error.code == "NotSupported": unsupported += 1
            case (.failure(let error), nil):
                if Self.needsModel.contains(where: entry.Input.contains) { continue }
                Issue.record("\(entry.Rule): \(entry.Input): \(error.code) \(error.message)")
            case (.failure, _?): refused += 1
            case (.success, _?):
                if Self.onlyModelKnows.contains(entry.Input) { continue }
                Issue.record("\(entry.Rule): \(entry.Input) should be refused")
            }
        }
        #expect(read > 190)
        #expect(refused > 30)
        #expect(unsupported < 300)
    }

    /// What stands in inputs that need the names of functions and sets to be read at all, keys as segments, ordinals,
    /// and a `$format` that is there several times, which the grammar takes and the prose forbids.
    private static let needsModel = [
        "()", "ProductsBy", "ProductsOrderedBy", "Items(1)", "&$format=", "&$Format=", "Customers/1", "Addresses/0",
        "EmailAddresses/1", "Categories/Smartphone", "OrderItems/2001", "Orders/1/", "People/O",
    ]
    /// Inputs that only a model can refuse.
    private static let onlyModelKnows: Set<String> = [
        "Categories(1)/Address/$value", "Categories(1)/Thumbnail/$value", "$skiptoken=Not&this",
    ]
}
