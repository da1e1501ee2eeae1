// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import TidelineAccounts

/// Sends each request through its door: `/odata`, `/auth`, those of older clients, or the pages.
///
/// Whatever fails becomes an answer here. A class, so that a task does not carry all doors with it.
final class Dispatcher: HTTPResponder {
    typealias Context = ConnectionContext

    let odata: ODataDoor
    let signIn: SignInDoor
    let bookmarks: BookmarksDoor
    let service: ServiceDoor
    let fishing: FishingDoor
    let pages: PageDoor
    let names: ServerNames
    let log: AccessLog

    init(
        odata: ODataDoor,
        signIn: SignInDoor,
        bookmarks: BookmarksDoor,
        service: ServiceDoor,
        fishing: FishingDoor,
        pages: PageDoor,
        names: ServerNames,
        log: AccessLog
    ) {
        self.odata = odata
        self.signIn = signIn
        self.bookmarks = bookmarks
        self.service = service
        self.fishing = fishing
        self.pages = pages
        self.names = names
        self.log = log
    }

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        EventDoor.isAddressed(by: request.head)
            ? try await respondApart(to: request, context) : try await respondHere(to: request, context)
    }

    /// Answers in a task of its own.
    ///
    /// What a task has taken of memory on the way to an answer it keeps until its end, and that of a connection which
    /// listens may be hours away: some ten kilobytes each.
    @inline(never)
    private func respondApart(to request: Request, _ context: ConnectionContext) async throws -> Response {
        let task = begin(request, context)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    @inline(never)
    private func begin(_ request: Request, _ context: ConnectionContext) -> Task<Response, any Error> {
        Task { try await respondHere(to: request, context) }
    }

    @inline(never)
    private func respondHere(to request: Request, _ context: ConnectionContext) async throws -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        let address = RequestAddress(target: request.head.path ?? "/")
        let response = try await answer(request, address, context)
        log.write(request.method, address, response.status, clock.now - start)
        return response
    }

    private func answer(_ request: Request, _ address: RequestAddress, _ context: ConnectionContext) async throws
        -> Response
    {
        do {
            try names.check(request.head)
            if let address = BookmarksAddress(target: request.head.path ?? "/"),
                let response = try await bookmarks.respond(to: request, at: address, context)
            {
                return response
            }
            if let address = FishingAddress(target: request.head.path ?? "/"),
                let response = try await fishing.respond(to: request, at: address, context)
            {
                return response
            }
            switch address.door {
            case "odata": return try await odata.respond(to: request, at: address, context)
            case "auth": return try await signIn.respond(to: request, at: address, context)
            case "service":
                return try await service.respond(to: request, at: address, context) { inner in
                    try await respond(to: inner, context: context)
                }
            default: return try await pages.respond(to: request, at: address)
            }
        } catch let refusal as Refusal where refusal.status == .unauthorized && address.door == "odata" {
            return UnauthorizedPage.answer(to: request.head, refusal, domain: address.domain)
        } catch let refusal as Refusal {
            return RefusalPage.answer(to: request.head, refusal)
        } catch is WorkerPool.Busy {
            return Answer.refusal(.busy, request: request.head)
        } catch let error as CancellationError {
            throw error
        } catch {
            log.logger.error(
                "Request failed",
                metadata: ["path": "\(address.logged)", "error": "\(ServiceReport.reason(error))"]
            )
            return Answer.refusal(.internalError, request: request.head)
        }
    }
}
