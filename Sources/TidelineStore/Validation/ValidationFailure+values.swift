// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ValidationFailure {
    /// What a value of a property breaks, with what the property says of it.
    init(_ error: ValueError, _ property: Property, set: String, key: Key?) {
        var arguments: [String: Value] = [:]
        let rule: Rule
        switch error.code {
        case .null: rule = .required
        case .wrongType: rule = .type
        case .outOfRange, .nullCharacter: rule = .range
        case .tooLong:
            rule = .maxLength
            arguments["maxLength"] = property.maxLength.map { .integer(Int64($0)) }
        case .tooManyDigits:
            rule = .precision
            arguments["precision"] = property.precision.map { .integer(Int64($0)) }
        case .tooManyPlaces:
            rule = .scale
            arguments["scale"] = (property.type == .decimal ? property.scale : property.precision)
                .map { .integer(Int64($0)) }
        case .belowMinimum:
            rule = .minimum
            arguments["minimum"] = property.minimum
        case .aboveMaximum:
            rule = .maximum
            arguments["maximum"] = property.maximum
        case .noMatch:
            rule = .pattern
            arguments["pattern"] = property.pattern.map { .string($0) }
        case .notAllowed:
            rule = .allowedValues
            let texts = property.allowedValues.prefix(20).map { $0.text ?? "" }
            arguments["allowedValues"] = .string(texts.joined(separator: ", "))
        }
        self.init(set: set, key: key, properties: [property.names.wire], rule: rule, arguments: arguments)
    }
}

extension ValueError {
    /// Whether the column cannot hold the value at all, so that null stands in its place until the refusal.
    var isUnstorable: Bool {
        switch code {
        case .tooLong, .belowMinimum, .aboveMaximum, .noMatch, .notAllowed: false
        default: true
        }
    }

    /// The code that the store's error has.
    func storeCode(isKey: Bool) -> LocalStoreError.Code {
        guard code == .null else { return .invalidValue }
        return isKey ? .invalidKey : .nullValue
    }
}
