// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import TidelineAccounts
import TidelineService
import TidelineStorage

/// Makes what serves a domain, from its file.
struct DomainOpener: Sendable {
    /// The secret that signs links.
    let signingKey: [UInt8]
    let spoolFolder: String
    let pool: WorkerPool
    let logger: Logger
    /// The server's clock, in seconds from 1970.
    let now: @Sendable () -> Int64
    /// What answers requests later; one for all domains, so that it outlives a domain's file.
    let deferral: Deferral
    /// Opens the database of a domain, given the folder of its file.
    let openStore: @Sendable (Domain, _ folder: String) throws -> any Store

    /// - Parameter folder: the folder of the domain's file.
    func open(_ domain: Domain, folder: String) throws -> LoadedDomain {
        let commits = CommitHint()
        let store = ObservedStore(base: try openStore(domain.forStore, folder), hint: commits)
        let service = try ODataService(
            domain: domain,
            store: store,
            signingKey: signingKey,
            spoolFolder: spoolFolder,
            files: MediaFiles(folder: folder + "/files"),
            deferral: deferral,
            report: { [logger] id, error in ServiceReport.log(id, error, domain: domain.name, to: logger) },
            tell: { [logger] failures in ServiceReport.log(failures, domain: domain.name, to: logger) },
            now: now
        )
        sweepFiles(service)
        BookmarksGate.tell(domain, logger)
        FishingDoor.tell(domain, logger)
        let events = DomainEvents(service: service, commits: commits, store: store, pool: pool, logger: logger)
        return LoadedDomain(
            domain: domain,
            service: service,
            events: events,
            directories: domain.signIn.map { UserDirectory($0, of: domain.name, in: store) }
        )
    }

    /// Removes what a crash left; a file whose row is on its way is too young to go.
    private func sweepFiles(_ service: ODataService) {
        let name = service.domain.name
        do {
            let swept = try service.sweepFiles()
            if swept > 0 { logger.info("Files swept", metadata: ["domain": "\(name)", "files": "\(swept)"]) }
        } catch {
            logger.warning("Files not swept", metadata: ["domain": "\(name)", "error": "\(ServiceReport.text(error))"])
        }
    }
}
