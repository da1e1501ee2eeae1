// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C while something half-done lies about.
enum Interruption {
    private static let numbers = [SIGINT, SIGTERM]

    /// Cancels the work that runs.
    private static let ending = Mutex<(@Sendable () -> Void)?>(nil)

    /// Runs work that Ctrl-C and SIGTERM cancel, so that it can tidy up behind itself; the second one ends the process.
    ///
    /// A question that stands meanwhile gives the terminal back first.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        ending.withLock { $0 = { task.cancel() } }
        // Work that shows what it does has nobody left to show it to.
        if StandardStream.isOutputLost { task.cancel() }
        let sources = numbers.map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { if !UnseenLine.interrupt(by: number) { cancel(after: number) } }
            source.resume()
            return source
        }
        defer {
            ending.withLock { $0 = nil }
            for source in sources { source.cancel() }
            for number in numbers { _ = signal(number, SIG_DFL) }
        }
        return try await task.value
    }

    /// Cancels the work that runs.
    ///
    /// - Parameter number: a signal that came; the next of it ends the process.
    /// - Returns: whether there is work, and the signal is one that cancels it.
    @discardableResult
    static func cancel(after number: Int32? = nil) -> Bool {
        guard number.map(numbers.contains) ?? true, let end = ending.withLock({ $0 }) else { return false }
        if let number { _ = signal(number, SIG_DFL) }
        end()
        return true
    }
}
