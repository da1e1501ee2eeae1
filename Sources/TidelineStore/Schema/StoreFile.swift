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
    static let applicationID = DeviceFile.applicationID
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
        SyncLog.tableSQL,
    ]

    /// The tables whose rows are of what waits, and of what the server said.
    static let recordTables = [
        "tideline_outbox", "tideline_sent", "tideline_base", "tideline_made", "tideline_subscriptions",
        "tideline_conflicts", "tideline_quarantine", "tideline_quarantine_records",
    ]

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Makes the file under another name and renames it into place, so that a half-made store is never seen.
    ///
    /// - Parameter version: the data version that the file begins with.
    static func create(
        path: String,
        model: EntityModel,
        origin: StoreOrigin?,
        version: Int = 1,
        settings: StoreSettings
    ) throws {
        guard !exists(path) else {
            throw LocalStoreError(.exists, message: "The file '\(path)' exists. Choose another name, or open it.")
        }
        let layout = StoreLayout(try StoreLayout.stored(model))
        let temporary = "\(path).new-\(UInt32.random(in: 0...UInt32.max))"
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unsafe _ = unlink(temporary + suffix) } }
        try SQLiteRefusal.translated {
            let queue = try DatabaseQueue(path: temporary, configuration: configuration(settings))
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
                try database.inTransaction(.immediate) {
                    try fill(Connection(database, layout), origin, version)
                    return .commit
                }
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
        }
        try place(temporary, at: path)
    }

    /// Gives a whole file its name, unless one of that name was made meanwhile.
    static func place(_ temporary: String, at path: String) throws {
        // link() and not rename(): another process may have made a file of that name meanwhile.
        guard unsafe link(temporary, path) == 0 else {
            if errno == EEXIST { throw LocalStoreError(.exists, message: "The file '\(path)' exists.") }
            throw LocalStoreError(.io, message: "The file '\(path)' cannot be made.")
        }
    }

    private static func fill(_ connection: Connection, _ origin: StoreOrigin?, _ version: Int) throws {
        for sql in controlSQL { try connection.run(sql) }
        for set in connection.layout.sets {
            try connection.run("CREATE TABLE main.\(set.table) \(set.declaration(staging: false))")
            for sql in set.indexSQL { try connection.run(sql) }
        }
        try connection.run("INSERT INTO tideline_model VALUES (1, ?)") {
            $0.blob(ModelCodec.encode(connection.layout.model))
        }
        try connection.setNumber("data_version", Int64(version))
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
        if settings.prepareConnection == nil { try checkHeader(path) }
        return try SQLiteRefusal.translated {
            let pool = try DatabasePool(path: path, configuration: configuration(settings))
            if settings.prepareConnection != nil {
                // The first bytes may be encrypted: SQLite tells what is in them.
                try pool.writeWithoutTransaction { database in
                    try check(
                        path,
                        application: Connection.pragma("application_id", database),
                        format: Connection.pragma("user_version", database)
                    )
                }
            }
            return pool
        }
    }

    /// The reading connections of a store that is open.
    static func readers(path: String, settings: StoreSettings) -> SQLiteReaders {
        var configuration = configuration(settings)
        configuration.readonly = true
        let reading = configuration
        return SQLiteReaders(most: 5) { try DatabaseQueue(path: path, configuration: reading) }
    }

    /// How each connection of a store is set up.
    static func configuration(_ settings: StoreSettings) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .patient(settings.busyTimeout)
        configuration.label = "tideline.store"
        // There are no foreign keys in the tables; and no statement of GRDB stands before those of the app.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            guard let handle = unsafe database.sqliteConnection else { return }
            unsafe SQLiteAuthorizer.remove(from: handle)
            if let prepare = settings.prepareConnection { try prepare(unsafe StoreConnection(handle)) }
            try unsafe SQLiteFunctions.register(on: handle)
        }
        return configuration
    }

    /// Reads the first bytes without SQLite, so that a foreign file is not touched at all.
    ///
    /// Source: SQLite file format, section 1.3: `user_version` at 60 and `application_id` at 68, big-endian.
    static func checkHeader(_ path: String) throws {
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
        try check(path, application: word(68), format: word(60))
    }

    private static func check(_ path: String, application: Int64, format: Int64) throws {
        guard application == applicationID else {
            throw LocalStoreError(.foreignFile, message: "The database '\(path)' is no store of Tideline.")
        }
        guard format <= self.format else {
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

    /// The layout that the file says it has, and how often the model was replaced.
    static func layout(_ database: Database) throws -> (layout: StoreLayout, revision: Int64) {
        let file = try modelBytes(database)
        return (StoreLayout(try ModelCodec.decode(file.bytes)), file.revision)
    }

    /// The encoded model, and how often it was replaced.
    static func modelBytes(_ database: Database) throws -> (revision: Int64, bytes: [UInt8]) {
        let statement = try Statement(
            database,
            "SELECT version, model FROM tideline_model ORDER BY version DESC LIMIT 1"
        )
        guard try statement.step() else {
            throw LocalStoreError(.corrupt, message: "The store's file holds no model.")
        }
        return (statement.integer(0), statement.bytes(1))
    }
}
