// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The most that a service does for one request.
///
/// Advertised, so that a client can check before it sends.
public struct ServiceLimits: Hashable, Sendable {
    /// Rows on a page; `Prefer: maxpagesize` can only lower it.
    public var pageRows: Int
    /// Bytes of values on a page.
    public var pageBytes: Int
    /// Bytes of a request's body.
    public var bodyBytes: Int
    /// Bytes of the content of a stream that is kept in a file.
    public var fileBytes: Int
    /// Seconds in which the content of a stream that is kept in a file comes, from its first byte to its last.
    public var uploadSeconds: Int
    /// Requests in one batch.
    public var batchRequests: Int
    /// Bytes of a batch's body.
    public var batchBytes: Int
    /// How deep `$expand` may nest.
    public var expandDepth: Int
    /// Seconds that the database may work at one statement.
    public var statementSeconds: Int
    /// Seconds that a statement waits for a lock of another program.
    public var lockSeconds: Int

    public init(
        pageRows: Int = 5_000,
        pageBytes: Int = 4_194_304,
        bodyBytes: Int = 4_194_304,
        fileBytes: Int = 1_073_741_824,
        uploadSeconds: Int = 3_600,
        batchRequests: Int = 10_000,
        batchBytes: Int = 67_108_864,
        expandDepth: Int = 4,
        statementSeconds: Int = 30,
        lockSeconds: Int = 10
    ) {
        self.pageRows = pageRows
        self.pageBytes = pageBytes
        self.bodyBytes = bodyBytes
        self.fileBytes = fileBytes
        self.uploadSeconds = uploadSeconds
        self.batchRequests = batchRequests
        self.batchBytes = batchBytes
        self.expandDepth = expandDepth
        self.statementSeconds = statementSeconds
        self.lockSeconds = lockSeconds
    }
}
