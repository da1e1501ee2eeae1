// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// The published documents that exist in both formats convert both ways.
@Suite(.enabled(if: SharedData.folder != nil, "The test data is not at hand (TIDELINE_SHARED)."))
struct CSDLPairsTests {
    static let pairs =
        ["csdl-schemas/examples", "vocabularies/examples", "vocabularies/vocabularies"]
        .flatMap { SharedData.names(in: $0, ending: ".xml") }

    /// A document in JSON with what the formats leave open made equal: aliases, addresses of documents, ends of lines.
    static func normal(_ bytes: [UInt8]) throws -> NSObject {
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        var aliases: [(String, String)] = []
        let root = value as? [String: Any] ?? [:]
        for (name, schema) in root {
            if let alias = (schema as? [String: Any])?["$Alias"] as? String { aliases.append((alias, name)) }
        }
        for reference in (root["$Reference"] as? [String: [String: Any]] ?? [:]).values {
            for include in reference["$Include"] as? [[String: Any]] ?? [] {
                guard let alias = include["$Alias"] as? String, let name = include["$Namespace"] as? String else {
                    continue
                }
                aliases.append((alias, name))
            }
        }
        let patterns = try aliases.map { alias, name in
            let text = "(?<![\\w.])\(NSRegularExpression.escapedPattern(for: alias))\\."
            return (try NSRegularExpression(pattern: text), name + ".")
        }
        func text(_ text: String) -> String {
            var text = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
            text = text.replacingOccurrences(of: ".xml", with: "").replacingOccurrences(of: ".json", with: "")
            text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for (pattern, name) in patterns {
                let range = NSRange(text.startIndex..., in: text)
                text = pattern.stringByReplacingMatches(in: text, range: range, withTemplate: name)
            }
            return text
        }
        func normal(_ value: Any, under name: String) -> NSObject {
            switch value {
            case let object as [String: Any]:
                var result: [String: NSObject] = [:]
                for (key, value) in object { result[text(key)] = normal(value, under: key) }
                return result as NSDictionary
            case let list as [Any]:
                // Each format's document names itself and the other.
                func relation(_ value: Any) -> String { (value as? [String: Any])?["rel"] as? String ?? "" }
                let isLinks = !list.isEmpty && list.allSatisfy { !relation($0).isEmpty }
                let ordered = isLinks ? list.sorted { relation($0) < relation($1) } : list
                return ordered.map { normal($0, under: "") } as NSArray
            case let string as String where string.hasPrefix("{"):
                // A constant that is JSON itself stands as text or as JSON.
                let tree = try? JSONSerialization.jsonObject(with: Data(string.utf8))
                return tree.map { normal($0, under: "") } ?? text(string) as NSString
            case let string as String where name == "$DefaultValue":
                return Double(string).map { "\($0)" as NSString } ?? text(string) as NSString
            case let string as String: return text(string) as NSString
            // A default value's form follows a type that may be defined elsewhere.
            case let number as NSNumber
            where name == "$DefaultValue" && number != true as NSNumber && number != false as NSNumber:
                return "\(number.doubleValue)" as NSString
            default: return value as? NSObject ?? NSNull()
            }
        }
        return normal(root, under: "")
    }

    /// Where two trees differ, for a message that says more than “not equal”.
    static func differences(_ left: Any?, _ right: Any?, at path: String = "") -> [String] {
        if let left = left as? [String: Any], let right = right as? [String: Any] {
            return Set(left.keys).union(right.keys).sorted().flatMap { key in
                differences(left[key], right[key], at: "\(path)/\(key)")
            }
        }
        if let left = left as? [Any], let right = right as? [Any], left.count == right.count {
            return left.indices.flatMap { differences(left[$0], right[$0], at: "\(path)[\($0)]") }
        }
        if let left = left as? NSObject, let right = right as? NSObject, left == right { return [] }
        return ["\(path): \(String(describing: left)) — \(String(describing: right))"]
    }

    @Test func `there are 25 pairs`() { #expect(Self.pairs.count == 25) }

    @Test(arguments: pairs) func `XML becomes the published JSON`(pair: String) throws {
        let made = try Self.normal(try CSDLXML.json(try SharedData.bytes(pair + ".xml")))
        let published = try Self.normal(try SharedData.bytes(pair + ".json"))
        #expect(Self.differences(made, published) == [])
    }

    @Test(arguments: pairs) func `JSON becomes XML that says the same`(pair: String) throws {
        let published = try SharedData.bytes(pair + ".json")
        let back = try CSDLXML.json(try CSDLJSON.xml(published))
        #expect(Self.differences(try Self.normal(back), try Self.normal(published)) == [])
    }

    @Test(arguments: pairs) func `a document of either format is written as it was read`(pair: String) throws {
        let fromXML = try CSDLXMLReader.read(try SharedData.bytes(pair + ".xml"))
        #expect(fromXML.warnings == [])
        #expect(try CSDLXMLReader.read(CSDLXMLWriter(document: fromXML.document).bytes()).document == fromXML.document)
        let fromJSON = try CSDLJSONReader.read(try SharedData.bytes(pair + ".json"))
        #expect(fromJSON.warnings == [])
        #expect(
            try CSDLJSONReader.read(CSDLJSONWriter(document: fromJSON.document).bytes()).document == fromJSON.document
        )
    }

    @Test(arguments: ["annotationtarget1", "test1", "test2"])
    func `a counterexample is refused`(name: String) throws {
        let document = try SharedData.bytes("csdl-schemas/examples/counterexamples/\(name).xml")
        #expect(throws: ODataError.self) { try CSDLXMLReader.read(document) }
    }

    @Test func `a large document of another maker is read whole`() throws {
        let folder = try #require(SharedData.folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gunzip", "-c", folder.appending(path: "msgraph/v1.0-Prod.csdl.gz").path]
        let pipe = try process.begin {
            let pipe = Pipe()
            process.standardOutput = pipe
            return pipe
        }
        let bytes = Array(try pipe.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        let (document, warnings) = try CSDLXMLReader.read(bytes)
        #expect(warnings == [])
        let types = document.schemas.flatMap(\.structuredTypes)
        #expect(types.count { $0.isEntity } == 1182)
        #expect(types.count { !$0.isEntity } == 1779)
        #expect(types.reduce(0) { $0 + $1.properties.count } == 10525)
        #expect(document.schemas.reduce(0) { $0 + $1.operations.count } == 1183)
        let sets = document.container?.container.children.count { $0.kind == .entitySet }
        #expect(sets == 41)
        #expect(try document.model(after: []).model.sets.count == 41)
    }
}
