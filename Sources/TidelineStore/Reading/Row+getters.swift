// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Typed values of a row.
///
/// Each throws ``LocalStoreError``: `unknownProperty`, `notLoaded`, and `invalidValue` for a property of another type.
/// Null is `nil`, but 0 for ``int(_:)`` and false for ``bool(_:)``.
extension Row {
    /// The text of a string property, `nil` for null.
    public func string(_ name: String) throws(LocalStoreError) -> String? {
        switch try self[name] {
        case .null: return nil
        case .string(let value): return value
        default: throw wrongType(name, "text")
        }
    }

    /// The number of an integer property, 0 for null.
    public func int(_ name: String) throws(LocalStoreError) -> Int {
        switch try self[name] {
        case .null: return 0
        case .integer(let value):
            guard let number = Int(exactly: value) else { throw wrongType(name, "an integer of this machine") }
            return number
        default: throw wrongType(name, "an integer")
        }
    }

    /// The number of an integer property, `nil` for null.
    public func integer(_ name: String) throws(LocalStoreError) -> Int64? {
        switch try self[name] {
        case .null: return nil
        case .integer(let value): return value
        default: throw wrongType(name, "an integer")
        }
    }

    /// The truth of a Boolean property, or whether an integer is not 0; false for null.
    public func bool(_ name: String) throws(LocalStoreError) -> Bool {
        switch try self[name] {
        case .null: return false
        case .boolean(let value): return value
        case .integer(let value): return value != 0
        default: throw wrongType(name, "a Boolean")
        }
    }

    /// The number of a floating-point or integer property, `nil` for null.
    public func double(_ name: String) throws(LocalStoreError) -> Double? {
        switch try self[name] {
        case .null: return nil
        case .double(let value): return value
        case .integer(let value): return Double(value)
        default: throw wrongType(name, "a floating-point number")
        }
    }

    /// The number of a decimal or integer property, `nil` for null.
    public func decimal(_ name: String) throws(LocalStoreError) -> EdmDecimal? {
        switch try self[name] {
        case .null: return nil
        case .decimal(let value): return value
        case .integer(let value): return EdmDecimal(coefficient: Int128(value))
        default: throw wrongType(name, "a decimal")
        }
    }

    /// The GUID of a property, `nil` for null.
    public func guid(_ name: String) throws(LocalStoreError) -> GUID? {
        switch try self[name] {
        case .null: return nil
        case .guid(let value): return value
        default: throw wrongType(name, "a GUID")
        }
    }

    /// The date of a property, `nil` for null.
    public func date(_ name: String) throws(LocalStoreError) -> CalendarDate? {
        switch try self[name] {
        case .null: return nil
        case .date(let value): return value
        default: throw wrongType(name, "a date")
        }
    }

    /// The time of day of a property, `nil` for null.
    public func timeOfDay(_ name: String) throws(LocalStoreError) -> TimeOfDay? {
        switch try self[name] {
        case .null: return nil
        case .timeOfDay(let value): return value
        default: throw wrongType(name, "a time of day")
        }
    }

    /// The moment of a property, `nil` for null.
    public func dateTimeOffset(_ name: String) throws(LocalStoreError) -> DateTimeOffset? {
        switch try self[name] {
        case .null: return nil
        case .dateTimeOffset(let value): return value
        default: throw wrongType(name, "a moment")
        }
    }

    /// The duration of a property, `nil` for null.
    public func duration(_ name: String) throws(LocalStoreError) -> Duration? {
        switch try self[name] {
        case .null: return nil
        case .duration(let value): return value
        default: throw wrongType(name, "a duration")
        }
    }

    /// The bytes of a binary property, `nil` for null.
    public func binary(_ name: String) throws(LocalStoreError) -> [UInt8]? {
        switch try self[name] {
        case .null: return nil
        case .binary(let value): return value
        default: throw wrongType(name, "binary")
        }
    }

    private func wrongType(_ name: String, _ wanted: String) -> LocalStoreError {
        guard let place = shape.place(name) else {
            return LocalStoreError(.unknownProperty, set: set.names.wire, properties: [name], message: name)
        }
        return refused(.invalidValue, place, "is \(type(of: place).rawValue) and cannot be read as \(wanted)")
    }
}
