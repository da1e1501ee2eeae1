// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineAccounts

/// What the doors of a server share, and each door made of it.
struct SharedParts: Sendable {
    let settings: ServerSettings
    let accounts: Accounts
    let registry: DomainRegistry
    /// Where requests are answered.
    let pool: WorkerPool
    /// Where passwords are compared, which takes long by design.
    let passwordPool: WorkerPool
    /// What signs links and forms.
    let key: [UInt8]
    let spoolFolder: String
    let logger: Logger
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    let reader: BodyReader
    let names: ServerNames

    private var isSecure: Bool { settings.tls != nil }

    /// A count of its own for forms that anybody may send, of which each sends mail or makes an account.
    private func formLimit() -> FormLimit { FormLimit(burst: 10, interval: .seconds(30)) }

    /// The way of each request to its door.
    ///
    /// - Throws: when a page that is part of the program cannot be read.
    func dispatcher(hub: EventHub, mails: any MailSender) throws -> Dispatcher {
        Dispatcher(
            odata: odata(hub),
            signIn: signIn,
            bookmarks: bookmarks,
            service: try service(mails),
            fishing: FishingDoor(registry: registry, accounts: accounts, pool: pool, reader: reader, logger: logger),
            pages: try pages(),
            names: names,
            log: AccessLog(logger: logger)
        )
    }

    private func odata(_ hub: EventHub) -> ODataDoor {
        let finder = CallerFinder(
            sender: Sender(
                accounts: accounts,
                passwordPool: passwordPool,
                isSecure: isSecure,
                takesBasic: settings.takesBasic
            ),
            registry: registry,
            pool: pool,
            names: names,
            devices: DeviceGate(accounts: accounts)
        )
        return ODataDoor(
            finder: finder,
            pool: pool,
            reader: reader,
            events: EventDoor(finder: finder, hub: hub, pool: pool),
            isSecure: isSecure,
            memory: AnswerMemory(limit: settings.answerMemoryInBytes),
            spoolFolder: spoolFolder
        )
    }

    private var signIn: SignInDoor {
        SignInDoor(
            accounts: accounts,
            registry: registry,
            pool: pool,
            passwordPool: passwordPool,
            isSecure: isSecure,
            reader: reader,
            registration: UserRegistration(accounts: accounts, limit: formLimit()),
            names: names
        )
    }

    private var bookmarks: BookmarksDoor {
        BookmarksDoor(
            registry: registry,
            accounts: accounts,
            pool: pool,
            passwordPool: passwordPool,
            reader: reader,
            gate: BookmarksGate(isSecure: isSecure, logger: logger),
            isSecure: isSecure,
            now: now
        )
    }

    private func service(_ mails: any MailSender) throws -> ServiceDoor {
        ServiceDoor(
            accounts: accounts,
            registry: registry,
            pool: pool,
            passwordPool: passwordPool,
            isSecure: isSecure,
            reader: reader,
            guardian: FormGuard(key: key),
            limit: formLimit(),
            names: names,
            pages: try ServicePages(accounts: accounts, key: key),
            mails: mails,
            logger: logger
        )
    }

    private func pages() throws -> PageDoor {
        PageDoor(
            registry: registry,
            pool: pool,
            page: try RootPage(),
            web: WebDoor(),
            isSecure: isSecure,
            startedAt: ContinuousClock().now,
            started: now()
        )
    }
}
