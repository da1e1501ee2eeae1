// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TidelineModel
import TidelineService
import TidelineStorage

/// The domains of the data folder, each loaded when it is first asked for and again when its file changes.
///
/// A look at the file's stamp (a few microseconds) decides at each request, and one at the file of its database: where
/// that was removed, or another one was put in its place, what is written to it would be lost.
///
/// A file that cannot be used makes its own domain unavailable and no other; it is tried again when it changes, and every
/// two seconds, since its database may have come back.
final class DomainRegistry: Sendable {
    /// What a name leads to.
    enum Lookup: Sendable {
        case loaded(LoadedDomain)
        /// There is no domain of this name.
        case unknown
        /// There is a file, but it cannot be served; the reason is in the log.
        case broken
    }

    private struct Slot: Sendable {
        var stamp: FileStamp
        var lookup: Lookup
        var retryAt: ContinuousClock.Instant?
        var reason: String?
        /// What was served before, whose files must not be mixed with those that are there now.
        var before: LoadedDomain?

        /// What is served, or was.
        var newest: LoadedDomain? {
            if case .loaded(let domain) = lookup { domain } else { before }
        }
    }

    private let data: DataDirectory
    private let open: @Sendable (Domain, String) throws -> LoadedDomain
    private let logger: Logger
    private let clock = ContinuousClock()
    private let slots = Mutex<[String: Slot]>([:])
    /// Held while a file is read, so that one change is read once.
    private let loading = Mutex<Void>(())

    /// - Parameters:
    ///   - open: makes what serves a domain, given the folder of its file.
    init(data: DataDirectory, logger: Logger, open: @escaping @Sendable (Domain, String) throws -> LoadedDomain) {
        self.data = data
        self.logger = logger
        self.open = open
    }

    /// The domain of that name.
    ///
    /// Blocks: for the threads of the pool.
    func lookup(_ name: String) -> Lookup {
        guard Domain.isName(name) else { return .unknown }
        let file = data.file(domain: name)
        guard let stamp = FileStamp(path: file), !stamp.isFolder else {
            let forgotten = slots.withLock { $0.removeValue(forKey: name) }
            if forgotten != nil { logger.info("Domain removed", metadata: ["domain": "\(name)"]) }
            return .unknown
        }
        if let known = known(name, stamp) { return known }
        return loading.withLock { _ in
            if let known = known(name, stamp) { return known }
            return load(name, file, stamp)
        }
    }

    /// All names in the folder with what they lead to, ordered by name.
    ///
    /// Blocks.
    func all() -> [(name: String, lookup: Lookup)] {
        data.domainNames().compactMap { name in
            let lookup = lookup(name)
            if case .unknown = lookup { return nil }
            return (name, lookup)
        }
    }

    private func known(_ name: String, _ stamp: FileStamp) -> Lookup? {
        guard let slot = slots.withLock({ $0[name] }), slot.stamp == stamp else { return nil }
        if let retryAt = slot.retryAt, retryAt <= clock.now { return nil }
        if case .loaded(let domain) = slot.lookup, domain.place != .same { return nil }
        return slot.lookup
    }

    private func load(_ name: String, _ file: String, _ stamp: FileStamp) -> Lookup {
        let before = slots.withLock { $0[name]?.newest }
        let place = before?.place ?? .same
        do {
            let domain = try Domain(contentsOf: file)
            guard domain.name == name else {
                throw DomainError(
                    .name,
                    file: file,
                    message: "The file names the domain \(domain.name), but its folder is \(name)."
                )
            }
            if before?.domain.database == domain.database { try checkLogs(beside: place, file) }
            let lookup = Lookup.loaded(try open(domain, data.folder(domain: name)))
            slots.withLock { $0[name] = Slot(stamp: stamp, lookup: lookup) }
            if place == .changed {
                logger.warning(
                    "The database's file was moved, replaced or made writable: it is opened anew",
                    metadata: ["domain": "\(name)"]
                )
            }
            logger.info(
                "Domain loaded",
                metadata: ["domain": "\(name)", "sets": "\(domain.model.sets.count)", "open": "\(domain.isOpen)"]
            )
            return lookup
        } catch {
            let reason = ServiceReport.text(error)
            let retryAt = clock.now + .seconds(2)
            let known = slots.withLock { slots in
                let known = slots[name]?.reason
                slots[name] = Slot(
                    stamp: stamp,
                    lookup: .broken,
                    retryAt: retryAt,
                    reason: reason,
                    before: place == .same ? nil : before
                )
                return known
            }
            if known != reason {
                logger.error(
                    "Domain cannot be served: it answers 503 until its file or database is repaired",
                    metadata: ["domain": "\(name)", "reason": "\(reason)"]
                )
            }
            return .broken
        }
    }

    /// - Throws: ``DomainError`` where a file lies beside the log of the one that was served.
    private func checkLogs(beside place: StorePlace, _ file: String) throws {
        guard place == .besideOldLog else { return }
        throw DomainError(
            .unreadable,
            file: file,
            message: "The database's file was replaced beside the log of the one before. Remove the files -wal and "
                + "-shm beside it, or put the other file back: read together they are damaged."
        )
    }
}
