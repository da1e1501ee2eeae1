// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The type and the storage form of a column: by what was declared and by what is there.
struct TypeChoice {
    var type: PrimitiveType
    var storage: StorageForm = .native
    var maxLength: Int?
    var precision: Int?
    var scale: Int?
    /// What was decided against the declaration, as a sentence.
    var note: String?

    /// What a declared type says, before the data is looked at.
    enum Family {
        case boolean, integer(PrimitiveType?), real, decimal, text, binary, date, time, moment, guid, unknown
    }

    /// Chooses, or says what does not fit.
    ///
    /// - `name`: the column; a text column is taken for a date or GUID only where its name agrees.
    /// - `isKey`, `isReference`: whether it is part of the key, or of a foreign key, which has the type of its key.
    static func choose(
        column: TableShape.Column,
        scan: ColumnScan,
        isKey: Bool,
        isReference: Bool = false
    ) -> Result<TypeChoice, ColumnProblem> {
        let declared = DeclaredType(column.declaredType)
        if scan.illFormed > 0 {
            return .failure(ColumnProblem("holds \(scan.illFormed) texts that are not UTF-8"))
        }
        let choice: TypeChoice?
        switch declared.family(name: column.name, scan: scan) {
        case .boolean: choice = boolean(scan)
        case .integer(nil) where declared.isWideInteger && !isKey && !isReference: choice = integer(.int64, scan)
        case .integer(let type): choice = integer(type, scan)
        case .real: choice = scan.isAllNumbers || scan.values == 0 ? TypeChoice(type: .double) : nil
        case .decimal: choice = decimal(declared, scan)
        case .text: choice = text(declared, scan)
        case .binary: choice = scan.isAllBlobs || scan.values == 0 ? TypeChoice(type: .binary) : nil
        case .date: choice = date(scan) ?? moment(scan)
        case .time: choice = time(scan)
        case .moment: choice = moment(scan)
        case .guid: choice = guid(scan)
        case .unknown: choice = unknown(scan)
        }
        if var choice {
            if choice.type == .string, scan.withNUL > 0, isKey {
                return .failure(ColumnProblem("is a key and holds \(scan.withNUL) texts with U+0000"))
            }
            if isKey, scan.isAllTexts, choice.isLoose(scan) {
                return .success(
                    TypeChoice(type: .string, note: "is a key and holds texts of several forms; it is a string")
                )
            }
            if isKey, !choice.type.isKeyType {
                return .failure(ColumnProblem("is a key, but \(choice.type.rawValue) cannot be one"))
            }
            if choice.note == nil, case .text = declared.family(name: column.name, scan: scan) { choice.note = nil }
            return .success(choice)
        }
        // Texts under any declaration are still texts.
        if scan.isAllTexts {
            return .success(
                TypeChoice(type: .string, note: "is declared \(column.declaredType) but holds texts; it is a string")
            )
        }
        return .failure(
            ColumnProblem(
                "is declared \(column.declaredType.isEmpty ? "without a type" : column.declaredType) and holds \(scan.description)"
            )
        )
    }

    /// Whether there are texts that are written back in another form, in which nobody would find them.
    private func isLoose(_ scan: ColumnScan) -> Bool {
        switch type {
        case .timeOfDay, .dateTimeOffset: scan.uniformFraction == nil || scan.shortTimes > 0
        case .decimal: scan.looseDecimals > 0
        default: false
        }
    }

    private static func boolean(_ scan: ColumnScan) -> TypeChoice? {
        if scan.values == 0 { return TypeChoice(type: .boolean) }
        if scan.isAllIntegers, scan.smallest >= 0, scan.largest <= 1 { return TypeChoice(type: .boolean) }
        if scan.isAllTexts, scan.nonBooleans == 0 { return TypeChoice(type: .boolean, storage: .booleanText) }
        guard var choice = integer(nil, scan) else { return nil }
        choice.note = "is declared as a Boolean but holds other numbers; it is \(choice.type.rawValue)"
        return choice
    }

    private static func integer(_ declared: PrimitiveType?, _ scan: ColumnScan) -> TypeChoice? {
        guard scan.values > 0 else { return TypeChoice(type: declared ?? .int32) }
        guard scan.isAllIntegers || scan.isAllNumbers && scan.wholeReals == scan.reals else {
            guard scan.isAllNumbers else { return nil }
            return TypeChoice(type: .double, note: "is declared as an integer but holds fractions; it is Edm.Double")
        }
        for type in [declared, .int32, .int64].compactMap({ $0 }) {
            guard let range = type.integerRange,
                scan.integers == 0 || range.contains(scan.smallest) && range.contains(scan.largest)
            else { continue }
            return TypeChoice(type: type)
        }
        return TypeChoice(type: .int64)
    }

    private static func decimal(_ declared: DeclaredType, _ scan: ColumnScan) -> TypeChoice? {
        let storage: StorageForm
        if scan.values == 0 || scan.isAllNumbers {
            guard scan.inexactReals == 0 else {
                return TypeChoice(
                    type: .double,
                    note: "holds numbers with too many digits after the point; it is Edm.Double"
                )
            }
            storage = .native
        } else if scan.isAllTexts, scan.nonDecimals == 0 {
            storage = .decimalText
        } else {
            return nil
        }
        var integerDigits = scan.integerDigits
        if scan.integers > 0 {
            integerDigits = max(
                integerDigits,
                String(scan.largest.magnitude).utf8.count,
                String(scan.smallest.magnitude).utf8.count
            )
        }
        guard let precision = declared.precision else { return TypeChoice(type: .decimal, storage: storage) }
        let scale = max(declared.scale ?? 0, scan.fractionDigits)
        let wanted = max(precision - (declared.scale ?? 0), integerDigits) + scale
        let note =
            scan.fractionDigits > (declared.scale ?? 0) || integerDigits > precision - (declared.scale ?? 0)
            ? "holds more digits than declared; it is Edm.Decimal(\(wanted),\(scale))" : nil
        return TypeChoice(type: .decimal, storage: storage, precision: wanted, scale: scale, note: note)
    }

    private static func text(_ declared: DeclaredType, _ scan: ColumnScan) -> TypeChoice? {
        guard scan.isAllTexts || scan.values == 0 else { return nil }
        let length = declared.precision.flatMap { $0 >= scan.longestText && $0 > 0 ? $0 : nil }
        return TypeChoice(type: .string, maxLength: length)
    }

    private static func guid(_ scan: ColumnScan) -> TypeChoice? {
        if scan.values == 0 || scan.isAllTexts && scan.nonLowerGUIDs == 0 { return TypeChoice(type: .guid) }
        if scan.isAllTexts, scan.nonUpperGUIDs == 0 { return TypeChoice(type: .guid, storage: .guidUpper) }
        if scan.isAllBlobs, scan.non16ByteBlobs == 0 { return TypeChoice(type: .guid, storage: .guidBlob) }
        return nil
    }

    private static func date(_ scan: ColumnScan) -> TypeChoice? {
        if scan.values == 0 || scan.isAllTexts && scan.nonDates == 0 { return TypeChoice(type: .date) }
        if scan.isAllIntegers, scan.partDays == 0 { return TypeChoice(type: .date, storage: .unixSeconds) }
        return nil
    }

    private static func time(_ scan: ColumnScan) -> TypeChoice? {
        if scan.values == 0 { return TypeChoice(type: .timeOfDay, precision: 0) }
        guard scan.isAllTexts, scan.nonTimes == 0 else { return nil }
        return TypeChoice(type: .timeOfDay, precision: scan.uniformFraction)
    }

    private static func moment(_ scan: ColumnScan) -> TypeChoice? {
        if scan.values == 0 { return TypeChoice(type: .dateTimeOffset, storage: .sqlText, precision: 0) }
        if scan.isAllTexts {
            if scan.nonSQLMoments == 0 {
                return TypeChoice(type: .dateTimeOffset, storage: .sqlText, precision: scan.uniformFraction)
            }
            if scan.nonMoments == 0 { return TypeChoice(type: .dateTimeOffset, precision: scan.uniformFraction) }
            if scan.nonDates == 0 { return TypeChoice(type: .date) }
        }
        if scan.isAllIntegers {
            // Beyond 100 thousand million seconds lies the year 5138: those are milliseconds.
            let isMilliseconds = max(scan.largest.magnitude, scan.smallest.magnitude) > 100_000_000_000
            return isMilliseconds
                ? TypeChoice(type: .dateTimeOffset, storage: .unixMilliseconds, precision: 3)
                : TypeChoice(type: .dateTimeOffset, storage: .unixSeconds, precision: 0)
        }
        if scan.isAllNumbers, scan.integers == 0, scan.nonJulianReals == 0 {
            return TypeChoice(type: .dateTimeOffset, storage: .julianDay, precision: 3)
        }
        return nil
    }

    private static func unknown(_ scan: ColumnScan) -> TypeChoice? {
        if scan.isAllIntegers { return TypeChoice(type: .int64) }
        if scan.isAllNumbers { return TypeChoice(type: .double) }
        if scan.isAllTexts || scan.values == 0 { return TypeChoice(type: .string) }
        return scan.isAllBlobs ? TypeChoice(type: .binary) : nil
    }
}

/// Why a column cannot be published: the end of a sentence that begins with its name.
struct ColumnProblem: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// A declared type: a name and perhaps one or two numbers, `DECIMAL(19, 4)`.
struct DeclaredType {
    let name: String
    let precision: Int?
    let scale: Int?

    init(_ text: String) {
        let upper = text.uppercased()
        let parts = upper.split(separator: "(", maxSplits: 1)
        name = parts.first.map { $0.split(separator: " ").joined(separator: " ") } ?? ""
        let numbers =
            parts.count == 2
            ? parts[1].prefix { $0 != ")" }.split(separator: ",").map {
                Int($0.split(separator: " ").joined())
            } : []
        precision = numbers.first ?? nil
        scale = numbers.count > 1 ? numbers[1] : nil
    }

    /// Whether the declaration is SQLite's own type of 64 bits: what comes later may be larger than what is there now.
    ///
    /// Keys count up from one, so theirs is the type that holds what is there.
    var isWideInteger: Bool { name == "INTEGER" }

    func family(name column: String, scan: ColumnScan) -> TypeChoice.Family {
        if name.isEmpty { return .unknown }
        if ["GUID", "UUID", "UNIQUEIDENTIFIER"].contains(where: name.contains) { return .guid }
        if name.contains("BOOL") || name == "BIT" { return .boolean }
        if name.contains("DATETIME") || name.contains("TIMESTAMP") { return .moment }
        if name == "DATE" { return .date }
        if name.hasPrefix("TIME") { return .time }
        if name.contains("INT") {
            if name.contains("TINY") { return .integer(.byte) }
            if name.contains("SMALL") || name == "INT2" { return .integer(.int16) }
            if name.contains("BIG") || name == "INT8" { return .integer(.int64) }
            return .integer(nil)
        }
        if ["DEC", "NUMERIC", "MONEY", "NUMBER", "CURRENCY"].contains(where: name.contains) { return .decimal }
        if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) { return textFamily(column, scan) }
        if name.contains("BLOB") || name.contains("BINARY") || name == "IMAGE" {
            let isGUID = scan.isAllBlobs && scan.non16ByteBlobs == 0 && Self.isIdentifierName(column)
            return isGUID ? .guid : .binary
        }
        if ["REAL", "FLOA", "DOUB"].contains(where: name.contains) { return .real }
        return .unknown
    }

    /// A text column whose name and every value say so is a GUID, a date or a moment.
    private func textFamily(_ column: String, _ scan: ColumnScan) -> TypeChoice.Family {
        guard scan.isAllTexts else { return .text }
        if scan.nonLowerGUIDs == 0 || scan.nonUpperGUIDs == 0, Self.isIdentifierName(column) { return .guid }
        let name = column.lowercased()
        let isTimeName =
            ["date", "time", "day", "birth"].contains(where: name.contains)
            || ["_at", "_on"].contains(where: name.hasSuffix) || column.hasSuffix("At") || column.hasSuffix("On")
        guard isTimeName else { return .text }
        if scan.nonDates == 0 { return .date }
        return scan.nonMoments == 0 || scan.nonSQLMoments == 0 ? .moment : .text
    }

    private static func isIdentifierName(_ column: String) -> Bool {
        let name = column.lowercased()
        return name.hasSuffix("id") || name.contains("guid") || name.contains("uuid") || name.hasSuffix("key")
    }
}
