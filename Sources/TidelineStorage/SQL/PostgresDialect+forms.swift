// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension PostgresDialect {
    /// A property is stored natively as `boolean`, an integer, `numeric`, `real`, `double precision`, text, `bytea`,
    /// `uuid`, `date`, `time`, `timestamp with time zone` or `interval`; microseconds are the finest time.
    package func bound(_ value: Value, of property: Property) -> StoredBound {
        if isComputed(property) { return .computed }
        guard property.storage == .native || property.storage == .memberName else {
            return StoredBound(value, of: property)
        }
        switch value {
        case .boolean(let flag): return .exact(.typed(flag ? "true" : "false", type: "boolean"))
        case .guid(let guid): return .exact(.typed(guid.text, type: "uuid"))
        case .integer(let number) where property.type == .decimal:
            return .exact(.typed(String(number), type: "numeric"))
        case .decimal(let number) where property.type == .decimal: return .exact(.typed(number.text, type: "numeric"))
        case .double(let number) where property.type == .decimal:
            guard let decimal = EdmDecimal(shortest: number) else {
                return number.isNaN ? .never : number < 0 ? .beforeAll : .afterAll
            }
            return .exact(.typed(decimal.text, type: "numeric"))
        case .string(let text):
            // No text that is stored has U+0000, which comes before all other characters.
            guard let end = text.utf8.firstIndex(of: 0) else { return .exact(.text(text)) }
            return .above(.text(String(text[..<end])))
        case .date(let date): return bound(DateTimeOffset(date: date), of: property)
        case .dateTimeOffset(let moment): return bound(moment, of: property)
        case .timeOfDay(let time):
            return bound(time.nanoseconds, "time") { TimeOfDay(nanoseconds: $0).text }
        case .duration(let duration):
            guard let nanoseconds = duration.nanoseconds else { return .computed }
            // As PostgreSQL reads it with either sign.
            return bound(nanoseconds, "interval") { "\($0 / 1000) microseconds" }
        default: return StoredBound(value, of: property)
        }
    }

    /// The value of a key as what its column is compared with; `nil` where no column holds it.
    ///
    /// A decimal that is held as text is compared as the number that it is.
    package func key(_ value: Value, of property: Property) -> SQLValue? {
        if property.type == .decimal, property.storage == .decimalText {
            guard case .decimal(let number)? = value.promoted(to: .decimal) else { return nil }
            return .typed(number.text, type: "numeric")
        }
        guard case .exact(let stored) = bound(value, of: property) else { return nil }
        return stored
    }

    /// Whether a column holds text that does not compare as its values do.
    private func isComputed(_ property: Property) -> Bool {
        switch (property.type, property.storage) {
        case (.decimal, .decimalText), (.date, .sqlText), (.dateTimeOffset, .sqlText): true
        default: false
        }
    }

    private func bound(
        _ nanoseconds: Int64,
        _ type: String,
        _ text: (Int64) -> String
    ) -> StoredBound {
        var rest = nanoseconds % 1000
        if rest < 0 { rest += 1000 }
        let stored = SQLValue.typed(text(nanoseconds - rest), type: type)
        return rest == 0 ? .exact(stored) : .above(stored)
    }

    private func bound(_ moment: DateTimeOffset, of property: Property) -> StoredBound {
        let isDate = property.type == .date
        let rest = isDate ? 1 : moment.nanoseconds % 1000
        let isExact = isDate ? moment.time.nanoseconds == 0 : rest == 0
        let cut =
            isDate
            ? DateTimeOffset(date: moment.date)
            : DateTimeOffset(seconds: moment.seconds, nanoseconds: moment.nanoseconds - rest)
        let stored = SQLValue.typed(Self.text(cut, isDate: isDate), type: isDate ? "date" : "timestamptz")
        return isExact ? .exact(stored) : .above(stored)
    }

    /// A date or moment as PostgreSQL reads it: years before the first are counted back from the birth of Christ.
    package static func text(_ moment: DateTimeOffset, isDate: Bool) -> String {
        let (year, month, day) = moment.date.components
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let digits = String(year > 0 ? year : 1 - year)
        var text = "\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)-\(two(month))-\(two(day))"
        if !isDate { text += "T\(moment.time.text)Z" }
        return year > 0 ? text : text + " BC"
    }

    package func computed(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        switch (property.type, property.storage) {
        case (.boolean, .booleanText): "(\(column) = 'true')"
        case (.byte, _), (.sbyte, _), (.int16, _), (.int32, _): "CAST(\(column) AS bigint)"
        case (.single, _): real(column)
        case (.decimal, .decimalScaled):
            call(.decimalScaled, [column, SQLFragment(raw: String(property.scale ?? 0))])
        case (.decimal, .decimalText): "CAST(\(column) AS numeric)"
        case (.guid, .guidBlob): call(.guid, [column])
        case (.guid, .guidUpper): "CAST(\(column) AS uuid)"
        case (.date, .native): "to_char(\(column), 'YYYY-MM-DD')"
        case (.date, .sqlText): column
        case (.date, _): "substr(\(moment(column, property)), 1, 10)"
        case (.dateTimeOffset, _): moment(column, property)
        case (.timeOfDay, .native): "tideline.time_nanoseconds(\(column))"
        case (.timeOfDay, _): call(.time, [column])
        case (.duration, .native): "tideline.interval_nanoseconds(\(column))"
        case (.duration, _): call(.duration, [column])
        default: column
        }
    }

    private func moment(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        switch property.storage {
        case .unixSeconds: "tideline.moment(to_timestamp(\(column)))"
        case .unixMilliseconds: "tideline.moment(to_timestamp(\(column) / 1000.0))"
        case .julianDay: "tideline.moment(to_timestamp(round((\(column) - 2440587.5) * 86400000) / 1000))"
        case .sqlText: "tideline.moment((\(column) || 'Z')::timestamptz)"
        default: "tideline.moment(\(column))"
        }
    }

    package func comparesAsStored(_ property: Property) -> Bool {
        property.storage == .native || !isComputed(property)
    }

    package func clockPart(
        _ function: Expression.Function,
        of column: SQLFragment,
        _ property: Property
    ) -> SQLFragment? {
        guard property.storage == .native, property.type == .date || property.type == .dateTimeOffset else {
            return nil
        }
        // The session's time zone is UTC.
        let field: SQLFragment
        switch function {
        case .year: field = "CASE WHEN \(column) < '0001-01-01' THEN 0 ELSE EXTRACT(YEAR FROM \(column)) END"
        case .month: field = "EXTRACT(MONTH FROM \(column))"
        case .day: field = "EXTRACT(DAY FROM \(column))"
        case .hour: field = "EXTRACT(HOUR FROM \(column))"
        case .minute: field = "EXTRACT(MINUTE FROM \(column))"
        case .second: field = "FLOOR(EXTRACT(SECOND FROM \(column)))"
        default: return nil
        }
        return integer(field)
    }
}
