// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import ServiceLifecycle
public import TidelineAccounts
public import TidelineService
public import TidelineStorage
import UnixSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The HTTP server: the domains of a data folder, sign-in, and the pages.
///
///     let server = try Server(settings: settings, data: data, accounts: accounts, logger: logger) { domain, folder in
///         try SQLiteStore(path: …, model: domain.model)
///     }
///     try await server.run { print("Listening on \($0)") }
public final class Server: Sendable {
    private let settings: ServerSettings
    private let logger: Logger
    private let pool: WorkerPool
    private let passwordPool: WorkerPool
    private let accounts: Accounts
    /// The path of the database of users and tokens.
    private let control: String
    private let dispatcher: Dispatcher
    private let logKeeper: LogKeeper
    /// Who listens for changes.
    let hub: EventHub

    /// - Parameters:
    ///   - accounts: the users of the domains.
    ///   - mails: what sends mails; without it they are written into the folder `mail` of the data folder.
    ///   - openStore: opens the database of a domain, given the folder of its file.
    /// - Throws: ``ServerError`` when the data folder cannot be used.
    public init(
        settings: ServerSettings,
        data: DataDirectory,
        accounts: Accounts,
        logger: Logger,
        mails: (any MailSender)? = nil,
        openStore: @escaping @Sendable (Domain, _ folder: String) throws -> any Store
    ) throws {
        self.settings = settings
        self.logger = logger
        self.accounts = accounts
        control = data.control
        try data.create()
        let key = try SigningKey.load(from: data.signingKey)
        pool = WorkerPool(threads: settings.threads, capacity: 2048)
        passwordPool = WorkerPool(threads: settings.passwordThreads, capacity: 64)
        let opener = DomainOpener(
            signingKey: key,
            spoolFolder: data.spool,
            pool: pool,
            logger: logger,
            now: Self.now,
            deferral: Self.deferral(on: pool),
            openStore: openStore
        )
        let registry = DomainRegistry(data: data, logger: logger, open: opener.open)
        logKeeper = LogKeeper(registry: registry, pool: pool, logger: logger)
        hub = EventHub(settings: settings.events, registry: registry, pool: pool)
        let parts = SharedParts(
            settings: settings,
            accounts: accounts,
            registry: registry,
            pool: pool,
            passwordPool: passwordPool,
            key: key,
            spoolFolder: data.spool,
            logger: logger,
            now: Self.now,
            reader: BodyReader(timeout: settings.bodyTimeout),
            names: ServerNames(settings)
        )
        dispatcher = try parts.dispatcher(hub: hub, mails: mails ?? MailFolder(path: data.path + "/mail"))
    }

    /// Seconds since 1970.
    @Sendable private static func now() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Answers requests later on the threads of the pool, beside those that are answered at once.
    private static func deferral(on pool: WorkerPool) -> Deferral {
        let start = ContinuousClock().now
        return Deferral(seconds: { (ContinuousClock().now - start).components.seconds }) { work in
            pool.submit(work)
        }
    }

    /// Serves until SIGTERM or SIGINT; requests in progress are finished first.
    ///
    /// - Parameter onListening: gets the address once the server listens, the chosen port in it.
    /// - Throws: ``ServerError``.
    public func run(onListening: @escaping @Sendable (String) -> Void) async throws {
        let application = try application(onListening: onListening)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: application, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = settings.shutdownTimeout
        let group = ServiceGroup(configuration: configuration)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { [self] in await sweep() }
                tasks.addTask { [self] in await compactLogs() }
                try await group.run()
                tasks.cancelAll()
            }
        } catch let error as IOError {
            throw listenError(error)
        } catch is SocketAddressError.UnknownHost {
            throw ServerError(.address, "\(settings.host) is no address or name of this machine.")
        }
        await pool.shutDown()
        await passwordPool.shutDown()
    }

    /// The application of Hummingbird, for the tests.
    package func application(
        onListening: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let handlers = { @Sendable [settings] in
            Compression.handlers(bodyTimeout: settings.bodyTimeout, answerTimeout: settings.answerTimeout)
        }
        let http1 = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: handlers(),
                idleTimeout: .init(settings.idleTimeout)
            )
        )
        let scheme = settings.tls == nil ? "http" : "https"
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        return Application(
            responder: dispatcher,
            server: try settings.tls.map { try .tls(http1, tlsConfiguration: Certificate.load($0)) } ?? http1,
            configuration: .init(address: .hostname(settings.host, port: settings.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                onListening("\(scheme)://\(host):\(port)/")
            },
            logger: logger
        )
    }

    /// Removes tokens that have expired, now and each hour.
    private func sweep() async {
        while !Task.isCancelled {
            do {
                let accounts = accounts
                try await pool.run { try accounts.sweep() }
                try await Task.sleep(for: .seconds(3600))
            } catch is CancellationError {
                return
            } catch {
                logger.warning(
                    "Expired tokens could not be removed",
                    metadata: ["file": "\(control)", "error": "\(ServiceReport.text(error))"]
                )
                try? await Task.sleep(for: .seconds(600))
            }
        }
    }

    /// Removes changes that need not be kept, now and each hour.
    private func compactLogs() async {
        while !Task.isCancelled {
            do {
                try await logKeeper.round(now: Self.now())
            } catch is CancellationError {
                return
            } catch {
                logger.warning(
                    "Change logs could not be compacted",
                    metadata: ["error": "\(ServiceReport.text(error))"]
                )
            }
            try? await Task.sleep(for: .seconds(LogKeeper.interval))
        }
    }

    private func listenError(_ error: IOError) -> ServerError {
        let place = "\(settings.host):\(settings.port)"
        switch error.errnoCode {
        case EADDRINUSE:
            return ServerError(.portInUse, "Another process listens on \(place).")
        case EACCES, EPERM:
            return ServerError(.address, "This user may not listen on \(place); ports below 1024 need rights.")
        default:
            return ServerError(.address, "The server cannot listen on \(place): \(error.localizedReason)")
        }
    }
}

extension IOError {
    /// The system's word for the error.
    fileprivate var localizedReason: String { unsafe String(cString: strerror(errnoCode)) + "." }
}
