// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension SQLFunction {
    /// Computes one call; no result is null.
    func run(_ call: SQLiteCall) {
        switch self {
        case .add: call.result(integers(.add, call))
        case .subtract: call.result(integers(.sub, call))
        case .multiply: call.result(integers(.mul, call))
        case .divide: call.result(integers(.div, call))
        case .negate: call.result(call.integer(0).flatMap { Arithmetic.integers(.sub, 0, $0) })
        case .remainder: call.result(reals(.mod, call))
        case .realDivide: call.result(reals(.div, call))
        case .round: call.result(call.real(0)?.rounded(.toNearestOrAwayFromZero))
        case .floor: call.result(call.real(0)?.rounded(.down))
        case .ceiling: call.result(call.real(0)?.rounded(.up))
        case .decimal: call.result(call.decimal(0))
        case .decimalScaled: call.result(decimalScaled(call))
        case .real: real(call)
        case .double: call.result(call.decimal(0)?.double)
        case .decimalAdd: call.result(decimals(.add, call))
        case .decimalSubtract: call.result(decimals(.sub, call))
        case .decimalMultiply: call.result(decimals(.mul, call))
        case .decimalDivide: call.result(decimals(.div, call))
        case .decimalRemainder: call.result(decimals(.mod, call))
        case .decimalNegate: call.result(call.decimal(0).map { -$0 })
        case .decimalRound: call.result(call.decimal(0)?.rounded())
        case .decimalFloor: call.result(call.decimal(0)?.rounded(toPlaces: 0, .down))
        case .decimalCeiling: call.result(call.decimal(0)?.rounded(toPlaces: 0, .up))
        case .lower: call.result(call.text(0).map(TextFunctions.lower))
        case .upper: call.result(call.text(0).map(TextFunctions.upper))
        case .trim: call.result(call.text(0).map(TextFunctions.trim))
        case .length: call.result(call.text(0).map { Int64(TextFunctions.length($0)) })
        case .substring: substring(call)
        case .endswith: call.result(endsWith(call))
        case .guid: call.result(call.blob(0).flatMap { GUID(bytes: $0.span) }?.text)
        case .moment: moment(call)
        case .time: call.result(call.text(0).flatMap { TimeOfDay($0) }?.nanoseconds)
        case .duration: call.result(call.text(0).flatMap { Duration($0) }?.nanoseconds)
        case .momentAdd: call.result(momentAdd(call)?.computedText)
        case .momentSubtract: call.result(momentSubtract(call))
        case .durationMultiply: call.result(scaled(.mul, call))
        case .durationDivide: call.result(scaled(.div, call))
        case .cast: cast(call)
        case .matches: call.result(matches(call))
        case .json, .jsonText: json(call)
        case .hasSubset, .hasSubsequence: arrays(call)
        case .same: call.result(isSame(call))
        case .found: call.result(isFound(call))
        case .member: member(call)
        case .shape: call.result(shape(call)?.text)
        case .geoDistance, .geoIntersects, .geoLength: measure(call)
        }
    }

    // MARK: - Numbers

    private func integers(_ name: Expression.BinaryOperator, _ call: SQLiteCall) -> Int64? {
        guard let left = call.integer(0), let right = call.integer(1) else { return nil }
        return Arithmetic.integers(name, left, right)
    }

    private func reals(_ name: Expression.BinaryOperator, _ call: SQLiteCall) -> Double? {
        guard let left = call.real(0), let right = call.real(1) else { return nil }
        return Arithmetic.doubles(name, left, right)
    }

    private func decimals(_ name: Expression.BinaryOperator, _ call: SQLiteCall) -> EdmDecimal? {
        guard let left = call.decimal(0), let right = call.decimal(1) else { return nil }
        return Arithmetic.decimals(name, left, right)
    }

    private func decimalScaled(_ call: SQLiteCall) -> EdmDecimal? {
        guard let number = call.integer(0), let scale = call.integer(1) else { return nil }
        return EdmDecimal(coefficient: Int128(number), scale: Int(scale))
    }

    private func real(_ call: SQLiteCall) {
        if let number = call.integer(0) {
            call.result(number)
        } else {
            call.result(call.decimal(0)?.double)
        }
    }

    // MARK: - Text

    private func endsWith(_ call: SQLiteCall) -> Bool? {
        guard let text = call.text(0), let part = call.text(1) else { return nil }
        return TextFunctions.ends(text, with: part)
    }

    private func matches(_ call: SQLiteCall) -> Bool? {
        guard let text = call.text(0), let pattern = call.text(1).flatMap(Pattern.compiled) else { return nil }
        return pattern.matches(text)
    }

    private func isFound(_ call: SQLiteCall) -> Bool? {
        guard let words = call.text(0), let text = call.text(1) else { return nil }
        return SearchWords.contains(text, words.split(separator: " ").map(String.init))
    }

    private func substring(_ call: SQLiteCall) {
        guard let text = call.text(0), let start = call.integer(1) else { return }
        guard call.count > 2 else {
            call.result(TextFunctions.substring(text, from: start, count: nil))
            return
        }
        if let count = call.integer(2) { call.result(TextFunctions.substring(text, from: start, count: count)) }
    }

    // MARK: - Moments

    /// The text of a stored moment; null outside the years 0 to 9999, whose texts alone are in order.
    private func moment(_ call: SQLiteCall) {
        guard let name = call.text(1), let form = StorageForm(rawValue: name),
            let moment = form.moment(of: call.stored(0)),
            (-62_167_219_200...253_402_300_799).contains(moment.seconds)
        else { return }
        call.result(moment.computedText)
    }

    private func momentAdd(_ call: SQLiteCall) -> DateTimeOffset? {
        guard let moment = call.moment(0), let step = call.integer(1) else { return nil }
        return Arithmetic.shifted(moment, nanoseconds: step)
    }

    private func momentSubtract(_ call: SQLiteCall) -> Int64? {
        guard let end = call.moment(0), let start = call.moment(1) else { return nil }
        return Arithmetic.nanoseconds(from: start, to: end)
    }
}
