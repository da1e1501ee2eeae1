// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import TidelineAccounts
import TidelineOData
import TidelineService

/// The door for clients of the fishing app, where a domain has opened it.
///
///     GET  /services/locations.php?action=list&userid=1&token=T
///     POST /services/catches.php                                   multipart/form-data, with a picture
///
/// Insecure by its nature, since the token stands in addresses and a GET changes data: off unless a domain's file turns it
/// on, and for clients on this machine alone.
struct FishingDoor {
    /// What a form has beside the picture.
    static let formBytes = 64 * 1024
    static let pictureTypes: Set = ["image/jpeg", "image/png", "image/webp"]

    let registry: DomainRegistry
    let accounts: Accounts
    let pool: WorkerPool
    let reader: BodyReader
    let logger: Logger

    /// What the log says when a domain is opened that has the door.
    static func tell(_ domain: Domain, _ logger: Logger) {
        guard domain.fishing != nil else { return }
        logger.warning(
            "INSECURE: the domain is open to clients of the fishing app, whose tokens stand in addresses",
            metadata: ["domain": "\(domain.name)", "reach": "loopback"]
        )
    }

    /// - Returns: `nil` where no domain has the door: then the address is none of this server's.
    func respond(
        to request: Request,
        at address: FishingAddress,
        _ context: ConnectionContext
    ) async throws -> Response? {
        guard let (loaded, settings) = try await pool.run({ [registry] in Self.domain(of: registry) }) else {
            return nil
        }
        let reference = String(UInt64.random(in: 0 ... .max), radix: 16)
        let response = try await response(to: request, at: address, context, loaded, settings, reference)
        guard request.method == .head else { return response }
        return Response(status: response.status, headers: response.headers)
    }

    private func response(
        to request: Request,
        at address: FishingAddress,
        _ context: ConnectionContext,
        _ loaded: LoadedDomain,
        _ settings: FishingCompatibility,
        _ reference: String
    ) async throws -> Response {
        do {
            guard context.isLoopback else { throw FishingFault.tooFar }
            let response =
                address.service == .locations
                ? try await spots(request, address, loaded, settings, reference)
                : try await caught(request, loaded, settings, reference)
            return Self.answer(response, .ok)
        } catch let fault as FishingFault {
            return answer(fault, loaded, reference)
        } catch let refusal as Refusal {
            let fault =
                refusal.status == .contentTooLarge
                ? FishingFault.tooLarge(settings.pictureBytes)
                : FishingFault(24, refusal.error.message, status: refusal.status)
            var response = answer(fault, loaded, reference)
            for field in refusal.fields { response.headers[field.name] = field.value }
            return response
        } catch is WorkerPool.Busy {
            return answer(.busy, loaded, reference)
        } catch let error as CancellationError {
            throw error
        } catch {
            logger.error(
                "Request failed",
                metadata: [
                    "path": "\(address.service.rawValue)", "error": "\(String(reflecting: type(of: error)))",
                    "reference": "\(reference)",
                ]
            )
            return answer(.failed(reference), loaded, reference)
        }
    }

    /// The domain that has the door; of several, the first by name.
    private static func domain(of registry: DomainRegistry) -> (LoadedDomain, FishingCompatibility)? {
        for case (_, .loaded(let loaded)) in registry.all() {
            if let settings = loaded.domain.fishing { return (loaded, settings) }
        }
        return nil
    }

    private func spots(
        _ request: Request,
        _ address: FishingAddress,
        _ loaded: LoadedDomain,
        _ settings: FishingCompatibility,
        _ reference: String
    ) async throws -> FishingResponse {
        guard request.method == .get else { throw FishingFault.methodNotAllowed(.get) }
        let form = try FishingForm(query: address.query)
        return try await pool.run {
            try data(form, loaded, settings, reference).respond(form)
        }
    }

    private func caught(
        _ request: Request,
        _ loaded: LoadedDomain,
        _ settings: FishingCompatibility,
        _ reference: String
    ) async throws -> FishingResponse {
        guard request.method == .post else { throw FishingFault.methodNotAllowed(.post) }
        guard let type = request.headers[.contentType], type.lowercased().hasPrefix("multipart/form-data") else {
            throw FishingFault.notMultipart
        }
        let body = try await reader.read(request, limit: settings.pictureBytes + Self.formBytes)
        return try await pool.run {
            guard let multipart = MultipartForm(body, contentType: type) else {
                throw FishingFault.unreadable("The multipart body")
            }
            var form = FishingForm()
            var picture: (type: String, bytes: ArraySlice<UInt8>)?
            for part in multipart.parts {
                if part.name == "picture", part.fileName != nil || part.type != nil {
                    picture = (part.type ?? "application/octet-stream", part.bytes)
                } else {
                    guard let text = String(validating: part.bytes, as: UTF8.self) else {
                        throw FishingFault.unreadable("The parameter \(part.name.prefix(40))")
                    }
                    try form.add(part.name, text)
                }
            }
            // Who may not come in is not told about pictures.
            let data = try data(form, loaded, settings, reference)
            if let picture {
                guard picture.bytes.count <= settings.pictureBytes else {
                    throw FishingFault.tooLarge(settings.pictureBytes)
                }
                guard Self.pictureTypes.contains(picture.type), settings.pictures != nil else {
                    throw FishingFault.otherType
                }
            }
            return try data.create(form, picture: picture)
        }
    }

    /// What answers the user of the token.
    ///
    /// Blocks.
    private func data(
        _ form: FishingForm,
        _ loaded: LoadedDomain,
        _ settings: FishingCompatibility,
        _ reference: String
    ) throws -> FishingData {
        let token = try form.required("token")
        guard !token.isEmpty, token.utf8.count <= 256 else { throw FishingFault.badToken }
        let user: User
        do {
            user = try accounts.authenticate(token, domain: loaded.domain.name)
        } catch let error as AccountsError where error.code == .invalidToken {
            throw FishingFault.badToken
        }
        return FishingData(loaded: loaded, settings: settings, user: user, reference: reference) { [logger] in
            logger.warning(
                "Fishing: a request named another user as its sender or author, and was taken for its own",
                metadata: ["domain": "\(loaded.domain.name)", "user": "\(user.name)"]
            )
        }
    }

    private func answer(_ fault: FishingFault, _ loaded: LoadedDomain, _ reference: String) -> Response {
        logger.info(
            "Fishing: refused",
            metadata: ["domain": "\(loaded.domain.name)", "rc": "\(fault.code)", "reference": "\(reference)"]
        )
        var response = Self.answer(FishingResponse(fault), fault.status)
        response.headers[.allow] = fault.allow
        return response
    }

    private static func answer(_ response: FishingResponse, _ status: HTTPResponse.Status) -> Response {
        Answer.bytes(
            response.bytes,
            type: "application/json; charset=utf-8",
            status: status,
            fields: [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            isHead: false
        )
    }
}
