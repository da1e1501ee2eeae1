// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The value of an annotation, kept as it is written: a constant, or an expression that clients evaluate.
///
/// Source: OData CSDL 4.01, sections 14.3 and 14.4.
indirect enum AnnotationExpression: Equatable, Sendable {
    /// The kinds of constants, by their names in XML.
    enum Constant: String, CaseIterable, Sendable {
        case binary = "Binary"
        case bool = "Bool"
        case date = "Date"
        case dateTimeOffset = "DateTimeOffset"
        case decimal = "Decimal"
        case duration = "Duration"
        case enumMember = "EnumMember"
        case float = "Float"
        case guid = "Guid"
        case int = "Int"
        case string = "String"
        case timeOfDay = "TimeOfDay"
    }

    /// The kinds of paths, by their names in XML.
    enum PathKind: String, CaseIterable, Sendable {
        case annotation = "AnnotationPath"
        case modelElement = "ModelElementPath"
        case navigationProperty = "NavigationPropertyPath"
        case property = "PropertyPath"
        case value = "Path"
    }

    struct Member: Equatable, Sendable {
        var name: String
        var value: AnnotationExpression?
        var annotations: [Annotation] = []
    }

    struct Record: Equatable, Sendable {
        var type: String?
        var members: [Member] = []
        var annotations: [Annotation] = []
    }

    /// An operator, a function, a cast or what else has operands.
    struct Operation: Equatable, Sendable {
        /// The name of the element in XML, as `And`, `If`, `Apply` or `Null`.
        var name: String
        var operands: [AnnotationExpression] = []
        /// Of `Apply`.
        var function: String?
        /// Of `Cast` and `IsOf`.
        var type: Schema.TypeUse?
        /// Of `LabeledElement`.
        var label: String?
        var annotations: [Annotation] = []

        /// Those whose operands stand in an array in JSON.
        static let ofSeveral: Set<String> = [
            "And", "Or", "Eq", "Ne", "Gt", "Ge", "Lt", "Le", "Has", "In", "Add", "Sub", "Mul", "Div", "DivBy", "Mod",
            "If",
        ]
        /// Those with one operand and nothing else.
        static let ofOne: Set<String> = ["Not", "Neg", "UrlRef"]
    }

    case constant(Constant, String)
    case path(PathKind, String)
    case collection([AnnotationExpression])
    case record(Record)
    case operation(Operation)
    case labeledElementReference(String)

    static var null: AnnotationExpression { .operation(Operation(name: "Null")) }

    static func string(_ text: String) -> AnnotationExpression { .constant(.string, text) }
    static func bool(_ flag: Bool) -> AnnotationExpression { .constant(.bool, flag ? "true" : "false") }
    static func int(_ number: Int) -> AnnotationExpression { .constant(.int, "\(number)") }

    /// A record of members that have values.
    static func members(_ members: [(String, AnnotationExpression)]) -> AnnotationExpression {
        .record(Record(members: members.map { Member(name: $0.0, value: $0.1) }))
    }

    /// The text of a constant or a path, or `nil`.
    var text: String? {
        switch self {
        case .constant(_, let text), .path(_, let text): text
        default: nil
        }
    }

    /// The member of that name of a record, or `nil`.
    subscript(_ name: String) -> AnnotationExpression? {
        guard case .record(let record) = self else { return nil }
        return record.members.first { $0.name == name }?.value
    }

    /// The items of a collection; none for another value.
    var items: [AnnotationExpression] {
        guard case .collection(let items) = self else { return [] }
        return items
    }
}
