// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TidelineModel
import TidelineOData

/// What libFuzzer feeds: one reader, chosen by `FUZZ_TARGET`.
///
/// Bytes in, and neither a crash nor a hang may come out. What is read is printed, and must read back from that.
enum Target: String, CaseIterable {
    case expression, url, context, headers, json, batch, csdlxml, csdljson, atom

    static let chosen = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(Target.init) ?? .expression

    func run(_ bytes: [UInt8]) {
        switch self {
        case .expression: expression(bytes)
        case .url: url(bytes)
        case .context: context(bytes)
        case .headers:
            guard let text = String(validating: bytes, as: UTF8.self) else { return }
            _ = try? Preference.list(parsing: text)
        case .json: json(bytes)
        case .batch:
            // The first byte says whether the rest is JSON or multipart.
            let type = bytes.first.map { $0 % 2 == 0 } == true ? "application/json" : "multipart/mixed;boundary=b"
            _ = try? BatchRequestReader.read(Array(bytes.dropFirst()), contentType: type)
            _ = try? BatchResponseReader.read(Array(bytes.dropFirst()))
        case .csdlxml: _ = try? CSDLXML.read(bytes)
        case .csdljson: _ = try? CSDLJSON.read(bytes)
        case .atom: atom(bytes)
        }
    }

    private func expression(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self),
            let expression = try? ExpressionParser.parse(text)
        else { return }
        let printed = ExpressionPrinter.print(expression)
        guard let again = try? ExpressionParser.parse(printed) else {
            // What is printed can pass a limit that the text has just kept.
            require(isTooComplex { _ = try ExpressionParser.parse(printed) }, "No longer read: \(printed)")
            return
        }
        require(ExpressionPrinter.print(again) == printed, "Read as another expression: \(printed)")
    }

    private func url(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        _ = try? RequestTarget(parsing: text, names: Self.names)
        guard let target = try? RequestTarget(parsing: text) else { return }
        let printed = target.text
        guard let again = try? RequestTarget(parsing: printed) else {
            require(isTooComplex { _ = try RequestTarget(parsing: printed) }, "No longer read: \(printed)")
            return
        }
        require(again.text == printed, "Read as another URL: \(printed)")
    }

    private func context(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let read = try? ContextFragment(parsing: text[...])
        else { return }
        require((try? ContextFragment(parsing: read.text[...]))?.text == read.text, "Read otherwise: \(read.text)")
    }

    private func json(_ bytes: [UInt8]) {
        for version in [ODataVersion.v40, .v401] {
            _ = try? EntityBodyReader(type: Self.type, version: version).read(bytes)
        }
    }

    /// The first byte says whether the rest is an entry, a batch or an address of v2.
    private func atom(_ bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst())
        switch bytes.first.map({ $0 % 4 }) {
        case 0: _ = try? V2Batch(rest, contentType: "multipart/mixed;boundary=b", limit: 100, context: Self.v2)
        case 1:
            guard let text = String(validating: rest, as: UTF8.self) else { return }
            _ = try? V2Translation(method: .get, text: text, fields: [:], body: [], context: Self.v2)
        default:
            let fields: HTTPFields = [.contentType: "application/atom+xml"]
            _ = try? V2Translation(method: .post, text: "Ts", fields: fields, body: rest, context: Self.v2)
        }
    }

    private func isTooComplex(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return false
        } catch { return (error as? ODataError)?.code == "TooComplex" }
    }

    private static let names = NameTable([
        "A": .entitySet, "B": .entityCollectionNavigation, "C": .complexProperty, "D": .primitiveProperty,
        "F": .entityFunction, "T": .entityType,
    ])

    private static let v2 = V2Context(
        model: EntityModel(namespace: "N", sets: [EntitySet(names: Names(wire: "Ts"), type: type)]),
        root: "/odata/n/"
    )

    private static let type = EntityType(
        names: Names(wire: "T"),
        properties: [
            Property(names: Names(wire: "A"), type: .int32, isNullable: false),
            Property(names: Names(wire: "B"), type: .string),
            Property(names: Names(wire: "C"), type: .dateTimeOffset), Property(names: Names(wire: "D"), type: .decimal),
            Property(names: Names(wire: "E"), type: .binary), Property(names: Names(wire: "F"), type: .duration),
        ],
        key: [0]
    )
}

/// Ends the run with a sentence: `precondition` has none in a release build.
private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
    if isTrue { return }
    FileHandle.standardError.write(Data((message() + "\n").utf8))
    abort()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Target.chosen.run(data.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? [])
    return 0
}
