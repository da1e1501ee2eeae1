// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel

/// The elements of a list that were looked at last, read a page at a time.
///
/// However long the list is, no more than ``mostPages`` pages are held.
final class ListPages<Element: Sendable>: Sendable {
    /// The pages that are kept: what is on the screen, what comes next, and what was there before.
    static var mostPages: Int { 4 }

    /// Elements that were read together; `nil` for a key that has no row any more.
    private typealias Page = [Key: Element?]

    private let size: Int
    /// The page used last stands last.
    private let pages = Mutex<[Page]>([])

    init(size: Int) { self.size = size }

    /// The number of elements held.
    var count: Int { pages.withLock { $0.reduce(0) { $0 + $1.count } } }

    /// The element of a row.
    ///
    /// - Parameters:
    ///   - place: the place of the row among `keys`.
    ///   - read: reads the elements of keys.
    func element(at place: Int, of keys: [Key], read: (ArraySlice<Key>) throws -> [Key: Element]) throws -> Element? {
        let key = keys[place]
        // Read under the lock: what is forgotten meanwhile is forgotten after it was put in.
        return try pages.withLock { pages in
            if let index = pages.lastIndex(where: { $0[key] != nil }) {
                let page = pages.remove(at: index)
                pages.append(page)
                return page[key] ?? nil
            }
            let start = place - place % size
            let wanted = keys[start..<min(start + size, keys.count)]
            let found = try read(wanted)
            var page = Page(minimumCapacity: wanted.count)
            for key in wanted { page.updateValue(found[key], forKey: key) }
            if pages.count == Self.mostPages { pages.removeFirst() }
            pages.append(page)
            return page[key] ?? nil
        }
    }

    /// The element of a key, where it is held.
    func held(_ key: Key) -> Element? {
        pages.withLock { pages in
            guard let index = pages.lastIndex(where: { $0[key] != nil }) else { return nil }
            return pages[index][key] ?? nil
        }
    }

    /// Forgets the elements that a batch changed.
    func forget(_ batch: ListBatch) {
        pages.withLock { pages in
            if batch.isFirst { return pages.removeAll() }
            for change in batch.changes {
                switch change {
                case .delete(let key, _), .insert(let key, _), .move(let key, _, _), .update(let key, _, _):
                    for index in pages.indices { pages[index][key] = nil }
                case .deleteSection, .insertSection: break
                }
            }
        }
    }

    /// Forgets all elements.
    func removeAll() { pages.withLock { $0.removeAll() } }
}
