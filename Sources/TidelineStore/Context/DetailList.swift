// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The objects that belong to a master object: it moves with the master.
///
///     let details = DetailList("Details")
///     try details.follow(order)                 // fetches the details of this order
///     try details.follow(next)                  // and now those of the next one
public final class DetailList {
    /// The wire name of the navigation property from the master to its details.
    public let navigation: String
    /// Whether the details are fetched at once when the master changes, or when ``fetch()`` is called.
    public let fetchesOnMove: Bool
    /// The object whose details these are, or `nil`.
    public private(set) var master: ManagedRow?
    /// The details as they were fetched last; empty while they were not.
    public private(set) var rows: [ManagedRow] = []
    /// Whether ``rows`` are those of the master.
    public private(set) var isFetched = true
    /// Called after each fetch, in the caller's own call.
    public var onFetch: (([ManagedRow]) -> Void)?

    /// - Parameters:
    ///   - navigation: the wire name of a collection-valued navigation property of the masters.
    ///   - fetchesOnMove: whether a change of the master fetches.
    public init(_ navigation: String, fetchesOnMove: Bool = true) {
        self.navigation = navigation
        self.fetchesOnMove = fetchesOnMove
    }

    /// Takes another master, or none.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownProperty``, and what reading the store throws.
    public func follow(_ master: ManagedRow?) throws {
        guard master !== self.master else { return }
        self.master = master
        rows = []
        isFetched = master == nil
        if fetchesOnMove { try fetch() }
    }

    /// Fetches the details of the master as they stand in its context now.
    public func fetch() throws {
        rows = try master?.relatedRows(navigation) ?? []
        isFetched = true
        onFetch?(rows)
    }
}
