// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import TidelineModel
import TidelineStorage

/// `tideline_sum` and `tideline_average`: exact sums of integers and of decimals' texts.
///
/// Null is passed over; of no value the result is null, and so it is when the sum has more than 38 digits, or of
/// integers more than 64 bits.
enum SQLiteAggregates {
    /// What is gathered of one group.
    private final class Total {
        var sum: EdmDecimal? = EdmDecimal(coefficient: 0)
        var count: Int64 = 0
        var isInteger = true
    }

    /// Registers both on a connection.
    static func register(on connection: OpaquePointer) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let code = unsafe sqlite3_create_function_v2(
            connection,
            "tideline_sum",
            1,
            flags,
            nil,
            nil,
            step,
            finishSum,
            nil
        )
        guard code == SQLITE_OK else { return code }
        return unsafe sqlite3_create_function_v2(
            connection,
            "tideline_average",
            1,
            flags,
            nil,
            nil,
            step,
            finishAverage,
            nil
        )
    }

    private static let step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
        context,
        count,
        values in
        guard let context = unsafe context,
            let place = unsafe sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
        else { return }
        // SQLite gives zeroed memory that lives for the group: it holds one retained object.
        let slot = unsafe place.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let total: Total
        if let known = unsafe slot.pointee {
            total = unsafe Unmanaged<Total>.fromOpaque(known).takeUnretainedValue()
        } else {
            total = Total()
            unsafe slot.pointee = UnsafeRawPointer(Unmanaged.passRetained(total).toOpaque())
        }
        let call = unsafe SQLiteCall(context: context, count: Int(count), values: values)
        guard let number = call.decimal(0) else { return }
        if call.integer(0) == nil { total.isInteger = false }
        total.sum = total.sum.flatMap { $0 + number }
        total.count += 1
    }

    /// Takes what was gathered; `nil` for a group without a value.
    private static func take(_ context: OpaquePointer) -> Total? {
        guard let place = unsafe sqlite3_aggregate_context(context, 0) else { return nil }
        let slot = unsafe place.assumingMemoryBound(to: UnsafeRawPointer?.self)
        guard let known = unsafe slot.pointee else { return nil }
        unsafe slot.pointee = nil
        let total = unsafe Unmanaged<Total>.fromOpaque(known).takeRetainedValue()
        return total.count > 0 ? total : nil
    }

    private static let finishSum: @convention(c) (OpaquePointer?) -> Void = { context in
        guard let context = unsafe context, let total = unsafe take(context) else { return }
        let call = unsafe SQLiteCall(context: context, count: 0, values: nil)
        if total.isInteger {
            call.result(total.sum?.coefficient(atScale: 0).flatMap { Int64(exactly: $0) })
        } else {
            call.result(total.sum)
        }
    }

    private static let finishAverage: @convention(c) (OpaquePointer?) -> Void = { context in
        guard let context = unsafe context, let total = unsafe take(context) else { return }
        let call = unsafe SQLiteCall(context: context, count: 0, values: nil)
        call.result(total.sum.flatMap { $0 / EdmDecimal(coefficient: Int128(total.count)) })
    }
}
