// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension DomainText {
    /// The operations of a model, after its singletons.
    static func operationLines(_ model: EntityModel) -> String {
        guard !model.operations.isEmpty else { return "" }
        return "operations:\n" + model.operations.map { lines($0, in: model) }.joined()
    }

    private static func lines(_ operation: EdmOperation, in model: EntityModel) -> String {
        var text = "  - name: \(quote(operation.names.wire))\n"
        if operation.names.code != operation.names.wire { text += "    code: \(quote(operation.names.code))\n" }
        text += "    kind: \(operation.kind.rawValue)\n"
        if let description = operation.description { text += "    description: \(quote(description))\n" }
        if let binding = operation.binding { text += "    bind: {\(pairs(binding))}\n" }
        if !operation.parameters.isEmpty { text += "    parameters:\n" }
        for parameter in operation.parameters { text += "      - {\(pairs(parameter, in: model))}\n" }
        text += resultLines(operation, in: model)
        if operation.isComposable { text += "    composable: true\n" }
        text += importLines(operation)
        return text + bodyLines(operation)
    }

    private static func pairs(_ binding: OperationBinding) -> String {
        var pairs = ["set: \(quote(binding.set))"]
        if binding.name != OperationBinding(set: "").name { pairs.append("as: \(quote(binding.name))") }
        if let name = binding.derivedType { pairs.append("of: \(quote(name))") }
        if binding.isCollection { pairs.append("collection: true") }
        return pairs.joined(separator: ", ")
    }

    private static func pairs(_ parameter: OperationParameter, in model: EntityModel) -> String {
        guard var property = model.property(of: parameter) else { return "" }
        property.names.database = property.names.wire
        if case .collection? = property.structure { property.isNullable = true }
        var text = pairs(property, of: nil)
        if parameter.names.database != parameter.names.wire { text += ", argument: \(quote(parameter.names.database))" }
        if parameter.isOptional, parameter.defaultValue?.isNull ?? true { text += ", optional: true" }
        return text
    }

    private static func resultLines(_ operation: EdmOperation, in model: EntityModel) -> String {
        guard let type = operation.returnType else { return "" }
        var text = ""
        let isStandard = operation.rowsAffectedProperty == "rowsAffected"
        if let name = operation.rowsAffectedProperty {
            text += "    rowsAffected: \(isStandard ? "true" : quote(name))\n"
        }
        if let complex = OperationText.generatedResult(of: operation, in: model) {
            let out = complex.properties.filter { $0.names.wire != operation.rowsAffectedProperty }
            if !out.isEmpty || operation.rowsAffectedProperty == nil {
                text += out.isEmpty ? "    out: []\n" : "    out:\n"
            }
            for property in out { text += "      - {\(pairs(property, of: nil))}\n" }
            return text
        }
        guard var property = model.property(Names(wire: "value"), of: type) else { return text + entityLine(type) }
        if case .collection? = property.structure { property.isNullable = true }
        let named = "name: value"
        let rest = pairs(property, of: nil)
        return text + "    returns: {\(rest.dropFirst(rest.hasPrefix(named + ", ") ? named.count + 2 : named.count))}\n"
    }

    private static func entityLine(_ type: OperationType) -> String {
        guard case .entity(let set, let derived) = type.element else { return "" }
        var pairs = ["set: \(quote(set))"]
        if let derived { pairs.append("of: \(quote(derived))") }
        if type.isCollection { pairs.append("collection: true") }
        if type.isNullable == type.isCollection { pairs.append("nullable: \(type.isNullable)") }
        return "    returns: {\(pairs.joined(separator: ", "))}\n"
    }

    private static func importLines(_ operation: EdmOperation) -> String {
        guard !operation.isBound else { return "" }
        let names = operation.imports.map(\.name)
        var text = ""
        if names.isEmpty { text = "    import: false\n" }
        if names.count == 1, names[0] != operation.names.wire { text = "    import: \(quote(names[0]))\n" }
        if names.count > 1 { text = "    import: [\(names.map { quote($0) }.joined(separator: ", "))]\n" }
        if operation.imports.contains(where: \.isInServiceDocument) { text += "    inServiceDocument: true\n" }
        return text
    }

    private static func bodyLines(_ operation: EdmOperation) -> String {
        switch operation.body {
        case .handler?: "    handler: true\n"
        case .routine(let name, let isProcedure)?: "    \(isProcedure ? "procedure" : "function"): \(quote(name))\n"
        case .sql(let sqlite, let postgres)? where sqlite == postgres && sqlite != nil:
            block("    sql:", sqlite ?? "")
        case .sql(let sqlite, let postgres)?:
            "    sql:\n" + (sqlite.map { block("      sqlite:", $0) } ?? "")
                + (postgres.map { block("      postgres:", $0) } ?? "")
        case nil: ""
        }
    }

    /// A text of several lines as it stands, where YAML gives it back unchanged.
    private static func block(_ key: String, _ sql: String) -> String {
        let lines = sql.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain =
            lines.count > 1 && lines.first?.first != " " && lines.first?.isEmpty == false
            && sql.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value < 0x7F }
            && !sql.hasSuffix("\n\n")
        guard isPlain else { return "\(key) \(quote(sql))\n" }
        let indent = String(repeating: " ", count: key.prefix { $0 == " " }.count + 2)
        let isEnded = sql.hasSuffix("\n")
        let body = (isEnded ? lines.dropLast() : lines[...]).map { $0.isEmpty ? "" : indent + $0 }
        return "\(key) \(isEnded ? "|" : "|-")\n\(body.joined(separator: "\n"))\n"
    }
}
