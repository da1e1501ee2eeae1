// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import GRDBSQLite
import TidelineModel
import TidelineSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file of a store: how it is made, opened and looked at before it is trusted.
enum StoreFile {
    /// `Tide` in ASCII: SQLite's `application_id`.
    static let applicationID: Int64 = 0x5469_6465
    /// SQLite's `user_version`: the arrangement of the tables named `tideline_…`.
    static let format: Int64 = 1

    static let controlSQL = [
        "CREATE TABLE tideline_meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
        "CREATE TABLE tideline_model (version INTEGER PRIMARY KEY, model BLOB NOT NULL)",
        """
        CREATE TABLE tideline_outbox (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, set_name TEXT NOT NULL,
          record BLOB NOT NULL)
        """,
        """
        CREATE TABLE tideline_sent (number INTEGER PRIMARY KEY, request BLOB NOT NULL, bytes BLOB NOT NULL,
          included INTEGER NOT NULL DEFAULT 0)
        """,
        """
        CREATE TABLE tideline_base (set_name TEXT, key BLOB, etag TEXT, record BLOB,
          PRIMARY KEY (set_name, key)) WITHOUT ROWID
        """,
        """
        CREATE TABLE tideline_made (set_name TEXT, key BLOB, number INTEGER NOT NULL,
          PRIMARY KEY (set_name, key)) WITHOUT ROWID
        """,
        """
        CREATE TABLE tideline_subscriptions (set_name TEXT PRIMARY KEY, filter TEXT, properties TEXT,
          delta_link TEXT) WITHOUT ROWID
        """,
        """
        CREATE TABLE tideline_conflicts (id INTEGER PRIMARY KEY AUTOINCREMENT, set_name TEXT NOT NULL,
          key BLOB NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, noticed INTEGER NOT NULL,
          record BLOB NOT NULL)
        """,
        """
        CREATE TABLE tideline_quarantine (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL,
          code TEXT NOT NULL, message TEXT NOT NULL, status INTEGER NOT NULL, depends_on INTEGER)
        """,
        """
        CREATE TABLE tideline_quarantine_records (id INTEGER, set_name TEXT, record BLOB NOT NULL,
          PRIMARY KEY (id, set_name)) WITHOUT ROWID
        """,
    ]

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Makes the file under another name and renames it into place, so that a half-made store is never seen.
    static func create(path: String, model: EntityModel, origin: StoreOrigin?) throws {
        guard !exists(path) else {
            throw LocalStoreError(.exists, message: "The file '\(path)' exists. Choose another name, or open it.")
        }
        let layout = StoreLayout(try StoreLayout.stored(model))
        let temporary = "\(path).new-\(UInt32.random(in: 0...UInt32.max))"
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unsafe _ = unlink(temporary + suffix) } }
        try SQLiteRefusal.translated {
            let queue = try DatabaseQueue(path: temporary)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
                try database.inTransaction(.immediate) {
                    try fill(Connection(database, layout), origin)
                    return .commit
                }
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
        }
        // link() and not rename(): another process may have made a file of that name meanwhile.
        guard unsafe link(temporary, path) == 0 else {
            if errno == EEXIST { throw LocalStoreError(.exists, message: "The file '\(path)' exists.") }
            throw LocalStoreError(.io, message: "The file '\(path)' cannot be made.")
        }
    }

    private static func fill(_ connection: Connection, _ origin: StoreOrigin?) throws {
        for sql in controlSQL { try connection.run(sql) }
        for set in connection.layout.sets {
            try connection.run("CREATE TABLE main.\(set.table) \(set.declaration(staging: false))")
            for sql in set.indexSQL { try connection.run(sql) }
        }
        try connection.run("INSERT INTO tideline_model VALUES (1, ?)") {
            $0.blob(ModelCodec.encode(connection.layout.model))
        }
        var random = SystemRandomNumberGenerator()
        for name in ["client_id", "nonce"] {
            try connection.setMeta(name, GUID(high: random.next(), low: random.next()).text)
        }
        try connection.setMeta("service_url", origin?.serviceURL)
        try connection.setMeta("user_name", origin?.userName)
        try connection.run("PRAGMA application_id = \(applicationID)")
        try connection.run("PRAGMA user_version = \(format)")
    }

    /// Opens the file's connections after looking at what it is.
    static func open(path: String, settings: StoreSettings) throws -> DatabasePool {
        guard exists(path) else {
            throw LocalStoreError(.notFound, message: "There is no file '\(path)'.")
        }
        try checkHeader(path)
        return try SQLiteRefusal.translated {
            try DatabasePool(path: path, configuration: configuration(settings))
        }
    }

    /// How every connection to the file is opened.
    static func configuration(_ settings: StoreSettings) -> Configuration {
        var configuration = Configuration()
        let (seconds, attoseconds) = settings.busyTimeout.components
        configuration.busyMode = .timeout(Double(seconds) + Double(attoseconds) / 1e18)
        configuration.maximumReaderCount = 5
        configuration.label = "tideline.store"
        configuration.prepareDatabase { database in
            if let handle = unsafe database.sqliteConnection { try unsafe SQLiteFunctions.register(on: handle) }
        }
        return configuration
    }

    /// Reads the first bytes without SQLite, so that a foreign file is not touched at all.
    ///
    /// Source: SQLite file format, section 1.3: `user_version` at 60 and `application_id` at 68, big-endian.
    private static func checkHeader(_ path: String) throws {
        let descriptor = Self.openReadOnly(path)
        guard descriptor >= 0 else {
            throw LocalStoreError(.io, message: "The file '\(path)' cannot be read.")
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = unsafe header.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, 100, 0) }
        guard count == 100, header.starts(with: "SQLite format 3\u{0}".utf8) else {
            throw LocalStoreError(.foreignFile, message: "The file '\(path)' is no store of Tideline.")
        }
        func word(_ place: Int) -> Int64 { header[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) } }
        guard word(68) == applicationID else {
            throw LocalStoreError(.foreignFile, message: "The database '\(path)' is no store of Tideline.")
        }
        guard word(60) <= format else {
            throw LocalStoreError(
                .newerFormat,
                message: "A newer release of Tideline wrote '\(path)'. Open it with that release."
            )
        }
    }

    private static func openReadOnly(_ path: String) -> Int32 {
        #if canImport(Glibc)
        unsafe Glibc.open(path, O_RDONLY)
        #elseif canImport(Musl)
        unsafe Musl.open(path, O_RDONLY)
        #else
        unsafe Darwin.open(path, O_RDONLY)
        #endif
    }

    /// The layout that the file says it has.
    static func layout(_ database: Database) throws -> StoreLayout {
        guard let bytes = try Data.fetchOne(database) else {
            throw LocalStoreError(.corrupt, message: "The store's file holds no model.")
        }
        return StoreLayout(try ModelCodec.decode(bytes))
    }

    /// The model's bytes.
    private enum Data {
        static func fetchOne(_ database: Database) throws -> [UInt8]? {
            let statement = try Statement(database, "SELECT model FROM tideline_model ORDER BY version DESC LIMIT 1")
            return try statement.step() ? statement.bytes(0) : nil
        }
    }
}
