// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// The states of an engine, one after the other: first that of now, then each that differs.
///
/// Any number may be read at once. A slow reader gets the newest and misses what passed meanwhile. The sequence ends when
/// the store is closed, or the task that reads is cancelled.
public struct SyncStatuses: AsyncSequence, Sendable {
    public typealias Element = SyncStatus
    public typealias Failure = Never

    let store: LocalStore
    let board: SyncBoard

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, board: board) }

    /// Reads the states.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: LocalStore
        private let board: SyncBoard
        private var bell: AsyncStream<Void>.Iterator
        private var last: SyncStatus?

        init(store: LocalStore, board: SyncBoard) {
            self.store = store
            self.board = board
            bell = board.bell(store).makeAsyncIterator()
        }

        /// The state of a store that cannot be read.
        private static func stopped(by error: LocalStoreError, after last: SyncStatus?) -> SyncStatus {
            var status = last ?? SyncStatus(StoreStatus.unknown)
            status.phase = .stopped(until: nil)
            status.lastFailure = SyncFailure(error)
            status.isCaughtUp = false
            return status
        }

        /// The next state; waits until it is another than the last.
        public mutating func next() async -> SyncStatus? {
            while true {
                if last != nil, await bell.next(isolation: #isolation) == nil { return nil }
                do {
                    let status = try await board.status(of: store)
                    guard status != last else { continue }
                    last = status
                    return status
                } catch let error as LocalStoreError where error.code == .busy || error.code == .suspended {
                    // The next commit, or the next step of a sync, rings again.
                    if last == nil, await bell.next(isolation: #isolation) == nil { return nil }
                } catch let error as LocalStoreError where error.code != .closed {
                    // That it cannot be read is a state, too.
                    let status = Self.stopped(by: error, after: last)
                    guard status != last else { continue }
                    last = status
                    return status
                } catch {
                    return nil
                }
            }
        }
    }
}
