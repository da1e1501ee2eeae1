// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Stops a statement of one connection that takes longer than is allowed.
///
///     a statement begins ──► no time yet ──► after some steps: the time ──► after more: is it too late?
///
/// Short statements never look at the clock. Belongs to its connection and is used by one thread at a time, as that is;
/// it goes when the connection closes.
final class StatementLimit {
    /// Steps of SQLite's machine between two looks at the clock: about a fifth of a millisecond.
    private static let steps: Int32 = 10_000

    private let limit: Duration
    private let clock: @Sendable () -> ContinuousClock.Instant
    private var start: ContinuousClock.Instant?

    private init(_ limit: Duration, _ clock: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.limit = limit
        self.clock = clock
    }

    /// Watches all statements of a connection, those of its triggers as a part of the statement that fires them.
    ///
    /// A stopped statement fails with `SQLITE_INTERRUPT`; one that writes takes its transaction with it.
    static func install(
        _ limit: Duration,
        _ clock: @escaping @Sendable () -> ContinuousClock.Instant,
        on connection: OpaquePointer
    ) {
        let context = unsafe Unmanaged.passRetained(StatementLimit(limit, clock)).toOpaque()
        unsafe sqlite3_progress_handler(
            connection,
            steps,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<StatementLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            },
            context
        )
        unsafe sqlite3_trace_v2(
            connection,
            UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_CLOSE),
            { event, context, _, text in
                guard let context = unsafe context else { return 0 }
                let limit = unsafe Unmanaged<StatementLimit>.fromOpaque(context)
                guard event == UInt32(SQLITE_TRACE_STMT) else {
                    unsafe limit.release()
                    return 0
                }
                guard let text = unsafe text?.assumingMemoryBound(to: CChar.self),
                    unsafe !StatementLimit.isTrigger(text)
                else {
                    return 0
                }
                unsafe limit.takeUnretainedValue().start = nil
                return 0
            },
            context
        )
    }

    /// Whether an event tells of the program of a trigger, which is a part of its statement.
    ///
    /// While another statement of the connection runs, texts have the mark of a comment once more.
    private static func isTrigger(_ text: UnsafePointer<CChar>) -> Bool {
        unsafe strncmp(text, "-- TRIGGER ", 11) == 0 || strncmp(text, "-- -- TRIGGER ", 14) == 0
    }

    private var isOver: Bool {
        let now = clock()
        guard let start else {
            start = now
            return false
        }
        return now - start > limit
    }
}
