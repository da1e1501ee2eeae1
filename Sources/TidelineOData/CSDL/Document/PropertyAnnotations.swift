// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The annotations of a property: who gives its value, what values it may have, what it counts.
///
/// Source: OData vocabularies Core V1, Validation V1, Measures V1.
enum PropertyAnnotations {
    static func annotations(of property: Property, in type: EntityType?) -> [Annotation] {
        var annotations: [Annotation] = []
        if let text = property.description {
            annotations.append(Annotation(Vocabulary.core.term("Description"), .string(text)))
        }
        let place = type?.properties.firstIndex { $0.names.wire == property.names.wire && $0.container == nil }
        switch property.generation {
        case .none: break
        case .onInsert where place.map { type?.isCounted($0) == true } == true:
            annotations.append(Annotation(Vocabulary.core.term("Computed")))
        case .onInsert: annotations.append(Annotation(Vocabulary.core.term("ComputedDefaultValue")))
        case .always: annotations.append(Annotation(Vocabulary.core.term("Computed")))
        }
        // Which derived type an entity is of, it stays of.
        let isDiscriminator = place != nil && place == type?.discriminator
        if property.isImmutable || isDiscriminator {
            annotations.append(Annotation(Vocabulary.core.term("Immutable")))
        }
        if property.isReadOnly {
            let permission = AnnotationExpression.constant(.enumMember, "Org.OData.Core.V1.Permission/Read")
            annotations.append(Annotation(Vocabulary.core.term("Permissions"), permission))
        }
        if let stream = property.stream {
            let mediaType: AnnotationExpression =
                stream.contentTypeProperty.flatMap { place in type.map { .path(.value, $0.wirePath(of: place)) } }
                ?? .string(stream.contentType)
            annotations.append(Annotation(Vocabulary.core.term("MediaType"), mediaType))
        }
        if let pattern = property.pattern {
            annotations.append(Annotation(Vocabulary.validation.term("Pattern"), .string(pattern)))
        }
        for (term, bound) in [("Minimum", property.minimum), ("Maximum", property.maximum)] {
            guard let bound, let constant = constant(bound) else { continue }
            annotations.append(Annotation(Vocabulary.validation.term(term), constant))
        }
        if !property.allowedValues.isEmpty {
            let values = property.allowedValues.compactMap(constant).map { value in
                AnnotationExpression.record(.init(members: [.init(name: "Value", value: value)]))
            }
            annotations.append(Annotation(Vocabulary.validation.term("AllowedValues"), .collection(values)))
        }
        switch property.measure {
        case .unit(let unit)?: annotations.append(Annotation(Vocabulary.measures.term("Unit"), .string(unit)))
        case .currency(let code)?:
            annotations.append(Annotation(Vocabulary.measures.term("ISOCurrency"), .string(code)))
        case nil: break
        }
        return annotations + ConflictAnnotation.annotations(of: property.conflictPolicy)
    }

    /// A value as a constant expression, or `nil` for null.
    static func constant(_ value: Value) -> AnnotationExpression? {
        let kind: AnnotationExpression.Constant =
            switch value {
            case .boolean: .bool
            case .integer: .int
            case .double: .float
            case .decimal: .decimal
            case .binary: .binary
            case .guid: .guid
            case .date: .date
            case .timeOfDay: .timeOfDay
            case .dateTimeOffset: .dateTimeOffset
            case .duration: .duration
            default: .string
            }
        return value.text.map { .constant(kind, $0) }
    }
}
