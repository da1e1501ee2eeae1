// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import TidelineOData

/// The published test cases of the grammar, where they are at hand: `TIDELINE_SHARED`, or `../shared` beside the package.
struct GrammarCases: Decodable {
    struct Case: Decodable {
        var Name: String
        var Rule: String
        var Input: String
        var FailAt: Int?
    }

    var Constraints: [String: [String]]
    var TestCases: [Case]

    static let file: URL? = {
        let given = ProcessInfo.processInfo.environment["TIDELINE_SHARED"].map { URL(filePath: $0) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        for folder in [given, package.appending(path: "../shared"), URL(filePath: "../shared")] {
            guard let folder else { continue }
            let file = folder.appending(path: "data/abnf/odata-abnf-testcases.json").standardizedFileURL
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }()

    static func load(_ file: URL) throws -> GrammarCases {
        try JSONDecoder().decode(GrammarCases.self, from: Data(contentsOf: file))
    }

    /// The names that the cases limit the grammar to.
    var names: NameTable {
        var table = NameTable()
        for (rule, names) in Constraints {
            guard let kind = GrammarCases.kinds[rule] else { continue }
            for name in names { table.add(name, kind) }
        }
        // A rule that is not limited takes every name.
        for (rule, kind) in GrammarCases.kinds where Constraints[rule] == nil { table.unlisted.formUnion(kind) }
        table.customOptions = Set(Constraints["customName"] ?? [])
        table.keySegments = Set((Constraints["keyPathLiteral"] ?? []).map { $0.removingPercentEncoding ?? $0 })
        return table
    }

    private static let kinds: [String: NameKinds] = [
        "entitySetName": .entitySet, "singletonEntity": .singleton, "actionImport": .actionImport, "action": .action,
        "entityTypeName": .entityType, "complexTypeName": .complexType, "enumerationTypeName": .enumerationType,
        "primitiveKeyProperty": .primitiveProperty, "primitiveNonKeyProperty": .primitiveProperty,
        "primitiveColProperty": .primitiveCollection, "complexProperty": .complexProperty,
        "complexColProperty": .complexCollection, "entityNavigationProperty": .entityNavigation,
        "entityColNavigationProperty": .entityCollectionNavigation, "streamProperty": .streamProperty,
        "entityFunction": .entityFunction, "entityColFunction": .entityCollectionFunction,
        "complexFunction": .complexFunction, "complexColFunction": .complexCollectionFunction,
        "primitiveFunction": .primitiveFunction, "primitiveColFunction": .primitiveCollectionFunction,
        "entityFunctionImport": .entityFunctionImport, "entityColFunctionImport": .entityCollectionFunctionImport,
        "complexFunctionImport": .complexFunctionImport,
        "complexColFunctionImport": .complexCollectionFunctionImport,
        "primitiveFunctionImport": .primitiveFunctionImport,
        "primitiveColFunctionImport": .primitiveCollectionFunctionImport, "parameterName": .parameter,
    ]
}
