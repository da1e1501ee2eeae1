// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
public import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A private PostgreSQL server for the tests of one process, on a socket and a free loopback port.
///
///     @Test(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
///     func `a table is read`() throws {
///         let conninfo = try PostgresCluster.shared().makeDatabase()
///
/// Started at the first use; when the process ends, however it ends, the server stops and its folder is removed. Any
/// user of the machine may connect as `postgres`, with no password; nothing is forced to disk.
public final class PostgresCluster: Sendable {
    /// A sentence for tests that are skipped.
    public static let advice: Comment = "PostgreSQL is not installed here: script/bootstrap installs it."

    /// Whether this machine has PostgreSQL's programs.
    public static let isAvailable: Bool = (try? programs()) != nil

    /// Goes on where this machine has PostgreSQL's programs, else cancels the test: for one of several stores.
    public static func require() throws {
        if !isAvailable { try Test.cancel(advice) }
    }

    private static let started = Mutex<PostgresCluster?>(nil)

    /// The server of this process.
    public static func shared() throws -> PostgresCluster {
        try started.withLock { cluster in
            if let cluster { return cluster }
            let made = try PostgresCluster()
            cluster = made
            return made
        }
    }

    /// The folder of the socket.
    public let socketFolder: String
    public let port: Int
    /// PostgreSQL's major version.
    public let version: Int
    private let programs: String
    private var psql: String { programs + "/psql" }
    /// The standard input of the shell whose child the server is: it takes orders, and stops the server at its end, which
    /// comes with the end of this process.
    private let orders: Pipe
    private let databases = Atomic<Int>(0)

    /// What libpq connects with.
    public func conninfo(database: String) -> String {
        "host=\(socketFolder) port=\(port) user=postgres dbname=\(database)"
    }

    /// The same as a URL.
    public func url(database: String) -> String {
        "postgresql://postgres@127.0.0.1:\(port)/\(database)"
    }

    /// Makes an empty database, whose default collation is not that of bytes where the server can.
    ///
    /// - Parameter sql: what is run in it.
    /// - Returns: its conninfo; see ``name(of:)``.
    public func makeDatabase(_ sql: String = "") throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        let locale = version >= 15 ? " LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : ""
        try run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8'\(locale)", database: "postgres")
        if !sql.isEmpty { try run(sql, database: name) }
        return conninfo(database: name)
    }

    /// The name of the database of a conninfo of this cluster.
    public func name(of conninfo: String) -> String {
        conninfo.split(separator: " ").last.map { String($0.dropFirst("dbname=".count)) } ?? "postgres"
    }

    /// Runs SQL with `psql`, and returns what it prints: a line a row, `|` between columns.
    @discardableResult
    public func run(_ sql: String, database: String) throws -> String {
        try Self.output(
            psql,
            ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", conninfo(database: database)],
            input: sql
        )
    }

    // MARK: Starting

    /// Starts another server: for a test that transactions of others would disturb.
    ///
    /// A snapshot of PostgreSQL names the transactions of all databases of a server.
    public init() throws {
        let programs = try Self.programs()
        self.programs = programs
        let versionText = try Self.output(programs + "/postgres", ["--version"])
        version = versionText.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        let folder = "/tmp/tideline-pg-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        socketFolder = folder
        let asUser = try Self.unprivileged(folder)
        let initdb = [programs + "/initdb", "-D", folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        try Self.output(asUser + initdb + ["--locale=C", "--no-sync", "--no-instructions"])
        port = Self.freePort()
        let settings = [
            "fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB",
            "listen_addresses=127.0.0.1", "unix_socket_directories=\(folder)", "max_prepared_transactions=4",
            "log_min_messages=fatal", "deadlock_timeout=100ms", "autovacuum=off",
        ]
        let server =
            asUser + [programs + "/postgres", "-D", folder + "/data", "-p", String(port)]
            + settings.flatMap { ["-c", $0] }
        // The shell outlives this process for a moment: `read` ends when the pipe does. It does not `wait` for the server:
        // that sleeps until a signal that a process of Foundation can be born deaf to; a foreground command reaps both.
        let script = """
            folder=$1; shift
            "$@" >"$folder/log" 2>&1 & server=$!
            while read -r order; do
                case $order in
                    start) "$@" >>"$folder/log" 2>&1 & server=$! ;;
                    *)
                        kill "-$order" $server
                        while kill -0 $server 2>/dev/null; do sleep 0.1; done
                        touch "$folder/stopped"
                        ;;
                esac
            done
            kill -QUIT $(head -n 1 "$folder/data/postmaster.pid") 2>/dev/null
            for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
                ls "$folder"/.s.PGSQL.* >/dev/null 2>&1 || break
                sleep 0.2
            done
            rm -rf "$folder"
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh", folder] + server
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        orders = try process.begin {
            let orders = Pipe()
            process.standardInput = orders
            return orders
        }
        try waitUntilReady { process.isRunning }
    }

    // MARK: Restarting

    /// How a server ends.
    public enum Ending: String, Sendable, CaseIterable {
        /// As its administrator ends it: sessions are ended, and what is in memory is written.
        case shutdown = "INT"
        /// At once, as when its processes are killed: the next start recovers what was committed.
        case crash = "QUIT"
    }

    /// Ends the server, and with it all sessions; for one of the test's own.
    public func stop(_ ending: Ending) throws {
        let mark = socketFolder + "/stopped"
        try? FileManager.default.removeItem(atPath: mark)
        try orders.fileHandleForWriting.write(contentsOf: Data("\(ending.rawValue)\n".utf8))
        for _ in 0..<600 {
            if FileManager.default.fileExists(atPath: mark) { return }
            usleep(50_000)
        }
        throw Failure(message: "PostgreSQL did not stop.")
    }

    /// Starts the server again, on the same port.
    public func start() throws {
        try orders.fileHandleForWriting.write(contentsOf: Data("start\n".utf8))
        try waitUntilReady { true }
    }

    /// Copies a database into another one, of this server or of any, as a backup is restored: `pg_dump`, `pg_restore`.
    public func restore(_ conninfo: String, into other: String) throws {
        let file = socketFolder + "/dump-\(UInt32.random(in: 0...UInt32.max))"
        try Self.output(programs + "/pg_dump", ["-F", "c", "-d", conninfo, "-f", file])
        try Self.output(programs + "/pg_restore", ["--exit-on-error", "-d", other, file])
    }

    /// - Parameter mayCome: whether the server may still come.
    private func waitUntilReady(_ mayCome: () -> Bool) throws {
        for _ in 0..<600 {
            if (try? run("SELECT 1", database: "postgres")) != nil { return }
            guard mayCome() else { break }
            usleep(50_000)
        }
        let log = (try? String(contentsOfFile: socketFolder + "/log", encoding: .utf8)) ?? ""
        throw Failure(message: "PostgreSQL did not start: \(log)")
    }

    /// The folder of PostgreSQL's programs: that of the newest installed server.
    private static func programs() throws -> String {
        let files = FileManager.default
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        var folders = path.split(separator: ":").map(String.init)
        let installed = (try? files.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let versions = installed.compactMap { Int($0) }.sorted(by: >)
        folders = versions.map { "/usr/lib/postgresql/\($0)/bin" } + folders
        for folder in folders
        where ["initdb", "postgres", "psql"].allSatisfy({ name in
            files.isExecutableFile(atPath: "\(folder)/\(name)")
        }) {
            return folder
        }
        throw Failure(message: "There is no initdb.")
    }

    /// What a command begins with so that it does not run as root, which PostgreSQL refuses; gives the folder away.
    private static func unprivileged(_ folder: String) throws -> [String] {
        guard geteuid() == 0 else { return [] }
        for name in ["postgres", "nobody"] {
            guard let user = unsafe getpwnam(name) else { continue }
            let (id, group) = unsafe (user.pointee.pw_uid, user.pointee.pw_gid)
            guard unsafe chown(folder, id, group) == 0 else { continue }
            return ["setpriv", "--reuid=\(id)", "--regid=\(group)", "--clear-groups"]
        }
        throw Failure(message: "There is no user to run PostgreSQL as.")
    }

    private static func freePort() -> Int {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = socket(AF_INET, stream, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe bind(socket, address, length)
                _ = unsafe getsockname(socket, address, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    @discardableResult
    private static func output(_ command: [String]) throws -> String {
        try output("/usr/bin/env", command)
    }

    @discardableResult
    private static func output(_ program: String, _ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let (entry, exit, errors) = try process.beginPiped()
        // The process may end before it has read all, as psql does where the server is not there yet.
        _ = signal(SIGPIPE, SIG_IGN)
        // From another thread, so that a full pipe on either side stops nothing.
        let writer = Thread {
            try? entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? entry.fileHandleForWriting.close()
        }
        writer.start()
        let text = String(decoding: exit.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(message: "\(program): \(complaint)") }
        return text
    }

    /// Why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        public var message: String
        public var description: String { message }
    }
}
