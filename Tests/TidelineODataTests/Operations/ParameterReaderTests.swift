// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

/// Values of parameters from bodies and from URLs.
struct ParameterReaderTests {
    private static var model: EntityModel {
        var model = EntityModel(namespace: "Shop", sets: [])
        model.enumerations = [
            EnumerationType(names: Names(wire: "Mood"), isFlags: true, members: [.init("Calm", 1), .init("Wild", 2)])
        ]
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Span"),
                properties: [Property(names: Names(wire: "From"), type: .int32, isNullable: false)]
            )
        ]
        return model
    }

    private func operation(_ types: [(String, OperationType, Bool)], _ kind: EdmOperation.Kind = .action)
        -> EdmOperation
    {
        EdmOperation(
            names: Names(wire: "Do"),
            kind: kind,
            parameters: types.map { OperationParameter(names: Names(wire: $0.0), type: $0.1, isOptional: $0.2) }
        )
    }

    private func type(_ primitive: PrimitiveType, isCollection: Bool = false, isNullable: Bool = false) -> OperationType
    {
        OperationType(.primitive(primitive), isCollection: isCollection, isNullable: isNullable)
    }

    private func body(_ operation: EdmOperation, _ text: String) throws -> [Value?] {
        try ParameterReader(operation, model: Self.model).values(in: Array(text.utf8))
    }

    private func code(_ operation: EdmOperation, _ text: String) -> String? {
        do {
            _ = try body(operation, text)
            return nil
        } catch let error as ODataError {
            return "\(error.code) \(error.target ?? "")"
        } catch {
            return "\(error)"
        }
    }

    @Test
    func `a body gives each parameter a value of its type`() throws {
        let all = operation([
            ("number", type(.int64), false), ("day", type(.date), false),
            ("mood", OperationType(.enumeration("Mood"), isNullable: false), false),
            ("span", OperationType(.complex("Span"), isNullable: false), false),
            ("list", type(.string, isCollection: true), false), ("note", type(.string, isNullable: true), false),
            ("rest", type(.string), true),
        ])
        let values = try body(
            all,
            ##"{"mood":"Calm,Wild","number":9007199254740993,"day":"2026-11-21","span":{ "From" : 3 },"##
                + ##""list":["a", "b"],"@odata.type":"#any","number@odata.type":"Int64"}"##
        )
        #expect(values[0] == .integer(9_007_199_254_740_993))
        #expect(values[1]?.text == "2026-11-21")
        #expect(values[2] == .integer(3))
        #expect(values[3] == .string(#"{"From":3}"#))
        #expect(values[4] == .string(#"["a","b"]"#))
        // A nullable one that is not there is null; an optional one is left to its default.
        #expect(values[5] == .null)
        #expect(values[6] == nil)
    }

    @Test
    func `what is wrong with a body names the parameter`() {
        let one = operation([("count", type(.int32), false), ("more", type(.string), true)])
        #expect(code(one, #"{"count":1}"#) == nil)
        #expect(code(one, "") == "MissingParameter count")
        #expect(code(one, #"{"Count":1}"#) == "UnknownParameter Count")
        #expect(code(one, #"{"count":"1x"}"#) == "InvalidValue count")
        #expect(code(one, #"{"count":2147483648}"#) == "InvalidValue count")
        #expect(code(one, #"{"count":null}"#) == "InvalidValue count")
        #expect(code(one, #"{"count":1,"count":1}"#) == "InvalidBody count")
        #expect(code(one, "7") == "InvalidBody ")
        #expect(code(one, #"{"count":1}x"#) == "InvalidJSON ")
    }

    @Test(arguments: [
        ("Do(a=1)", "1"), ("Do(a=-1)", "-1"), ("Do(a='1')", "1"), ("Do(a=@p)?@p=5", "5"), ("Do?a=5", "5"),
        ("Do?@a=5", "5"),
        ("Do()?a=5", "5"),
    ])
    func `a URL gives a number in several ways`(_ url: String, _ expected: String) throws {
        let target = try RequestTarget(parsing: url)
        let call: FunctionCall?
        switch target.path.segments.first {
        case .name(_, let key): call = FunctionCall(key, options: target.options)
        case .function(_, let arguments): call = FunctionCall(arguments, options: target.options)
        default: call = nil
        }
        let (_, values) = try #require(call).resolve(
            [operation([("a", type(.int64), false)], .function)],
            in: Self.model
        )
        #expect(values[0]?.text == expected)
    }

    @Test
    func `the overload with the most parameters that are given is meant`() throws {
        let small = operation([("a", type(.int64), false)], .function)
        let large = operation(
            [("a", type(.int64), false), ("b", type(.int64), true), ("c", type(.int64), true)],
            .function
        )
        let a = PathArgument(name: "a", value: .literal(.integer(1)))
        let b = PathArgument(name: "b", value: .literal(.integer(2)))
        #expect(try FunctionCall([a]).resolve([large, small], in: Self.model).operation == small)
        let (operation, values) = try FunctionCall([b, a]).resolve([small, large], in: Self.model)
        #expect(operation == large)
        #expect(values == [.integer(1), .integer(2), nil])
        #expect(throws: ODataError.self) { try FunctionCall([b]).resolve([small, large], in: Self.model) }
    }
}
