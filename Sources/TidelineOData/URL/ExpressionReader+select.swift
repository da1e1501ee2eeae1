// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    mutating func select() throws(ODataError) -> [SelectItem] {
        var items: [SelectItem] = []
        repeat {
            text.skipBlanks()
            items.append(try selectItem())
            guard items.count <= 2000 else { throw text.tooComplex("There are more than 2000 items of $select.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    private mutating func selectItem() throws(ODataError) -> SelectItem {
        if text.skip("*") { return .all }
        var path: [String] = []
        repeat {
            guard path.count < 20 else { throw text.tooComplex("A path has more than 20 names.") }
            let name = try memberName("The name of a property is missing.")
            if text.next == UInt8(ascii: "."), text.byte(1) == UInt8(ascii: "*"), path.isEmpty {
                text.offset += 2
                return .operations(namespace: name)
            }
            path.append(name)
        } while text.skip("/")
        guard text.next == UInt8(ascii: "(") else {
            return path.count == 1 && !path[0].utf8.contains(UInt8(ascii: "."))
                ? .property(path[0]) : .path(path, options: QueryOptions())
        }
        let start = text.offset
        text.offset += 1
        if let parameters = parameterNames() { return .function(path: path, parameters: parameters) }
        text.offset = start + 1
        return .path(path, options: try nestedOptions(allowed: Self.selectOptions, of: "$select"))
    }

    /// Source: OData ABNF construction rules, `selectOption`.
    private static let selectOptions: Set<SystemQueryOption> = [
        .filter, .search, .count, .orderby, .skip, .top, .compute, .select, .expand,
    ]

    /// `Location,Kind)`, the names of a function's parameters.
    private mutating func parameterNames() -> [String]? {
        var names: [String] = []
        repeat {
            guard let name = text.word() else { return nil }
            names.append(name)
        } while text.skip(",")
        return text.skip(")") ? names : nil
    }

    /// A name, a qualified name, or a term after `@`.
    mutating func memberName(_ problem: String) throws(ODataError) -> String {
        guard text.skip("@") else {
            guard let name = text.qualifiedName() else { throw text.error(problem) }
            return name
        }
        guard case .annotation(let term, let qualifier) = try annotation() else { throw text.error(problem) }
        return "@\(term)\(qualifier.map { "#\($0)" } ?? "")"
    }
}
