// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import TidelineModel
import TidelineOData
public import TidelineStorage

/// The OData service of one domain: a request value in, an answer value out.
///
///     request → call → policies and plan → rows into a sink → bytes
///
/// Synchronous, and without sockets, clock or state of its own: the server calls it on threads of its own, tests and
/// the simulator call it in place. When the domain's file changes, the server makes a new one.
public final class ODataService: Sendable {
    public let domain: Domain
    let core: Core
    let store: any Store
    /// How the database that was opened stands to what is there now: who serves another one makes a service anew.
    public var place: StorePlace { store.place }
    private let shown: ShownCores
    let reaches = ByRights<ChangeReach>()
    private let path: String
    let deferral: Deferral?

    /// - Parameters:
    ///   - store: the domain's data; its model is the domain's.
    ///   - signingKey: the secret that signs links, at least 16 bytes.
    ///   - path: the path of the service root, with a slash at both ends: `/odata/shop/`.
    ///   - spoolFolder: where large answers wait to be sent, in files without names.
    ///   - operations: the code of the operations whose body is a handler; without it a call is answered 501.
    ///   - files: where the streams are that the domain keeps in files; without it they are answered 501.
    ///   - deferral: what answers requests later; without it every request is answered at once.
    ///   - report: gets errors that are no client's business, with the id that the client was told (`unavailable` where it
    ///     was told none), and ``UnreadableValues`` of each property once, with an empty id.
    ///   - tell: gets what failed in a batch, which is answered 200.
    ///   - now: the server's clock, in seconds from 1970: it bounds how long a request of others' clients is repeatable.
    /// - Throws: ``PolicyError`` for a policy that cannot be used.
    public init(
        domain: Domain,
        store: any Store,
        signingKey: [UInt8],
        path: String? = nil,
        spoolFolder: String = "/tmp",
        operations: [OperationHandler] = [],
        files: MediaFiles? = nil,
        deferral: Deferral? = nil,
        report: @escaping @Sendable (_ id: String, _ error: any Error) -> Void = { _, _ in },
        tell: @escaping @Sendable (BatchFailures) -> Void = { _ in },
        now: (@Sendable () -> Int64)? = nil
    ) throws(PolicyError) {
        precondition(signingKey.count >= 16, "A signing key has at least 16 bytes.")
        self.domain = domain
        self.store = store
        self.deferral = deferral
        self.path = path ?? "/odata/\(domain.name)/"
        let policies = domain.isOpen ? PolicySet.open : try PolicySet(model: domain.model, policies: domain.policies)
        let capabilities = Self.capabilities(of: domain, respondsAsynchronously: deferral != nil)
        core = Core(
            domain: domain,
            planner: Planner(
                model: domain.model,
                policies: policies,
                limits: domain.limits,
                operations: OperationRunner(model: domain.model, handlers: operations)
            ),
            rules: RuleSet(model: domain.model),
            signer: TokenSigner(key: signingKey, domain: domain.name),
            spoolFolder: spoolFolder,
            files: files,
            shelf: DocumentShelf(
                model: domain.model,
                policies: policies,
                options: OpenAPIDocument.Options(
                    title: domain.name,
                    address: String(self.path.dropLast()),
                    isOpen: domain.isOpen,
                    capabilities: capabilities
                ),
                isWhole: domain.tellsWholeModel
            ),
            now: now,
            scopeProperties: domain.scopeProperties,
            report: report,
            tell: tell
        )
        shown = ShownCores(core)
    }

    /// The service as a user sees it.
    func core(for user: UserContext) -> Core { shown.core(for: user) }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - user: who asks; `.anonymous` without sign-in.
    ///   - userName: the user's name, to which links and clients are bound.
    ///   - upload: the body in a file, for a request that ``upload(for:user:userName:)`` has begun one for.
    public func respond(
        to request: HTTPRequest,
        body: [UInt8] = [],
        upload: MediaUpload? = nil,
        user: UserContext,
        userName: String? = nil
    ) -> ServiceResponse {
        respond(to: request, body: body, upload: upload, user: user, userName: userName, isDeferrable: true)
    }

    /// Inserts an entity, and writes in the same transaction what the server itself has to write.
    ///
    /// - Parameters:
    ///   - request: a `POST` to an entity set, not repeatable: the answer that is kept for a repetition knows of no more
    ///     than the request.
    ///   - alongside: is done after the insert; when it throws, neither is done.
    package func insert(
        _ request: HTTPRequest,
        body: [UInt8],
        user: UserContext,
        userName: String? = nil,
        alongside: @escaping @Sendable (any StoreWriter) throws -> Void
    ) -> ServiceResponse {
        let isPlain = request.method == .post && request.headerFields[.repeatabilityRequestID] == nil
        precondition(isPlain, "Only a plain insert has something written alongside.")
        return respond(
            to: request,
            body: body,
            user: user,
            userName: userName,
            isDeferrable: false,
            alongside: alongside
        )
    }

    /// - Parameter isDeferrable: whether the answer may come later; of a request that was put off, or that stands for
    ///   another, it does not.
    func respond(
        to request: HTTPRequest,
        body: [UInt8],
        upload: MediaUpload? = nil,
        user: UserContext,
        userName: String?,
        isDeferrable: Bool,
        alongside: (@Sendable (any StoreWriter) throws -> Void)? = nil
    ) -> ServiceResponse {
        var core = core(for: user)
        if let alongside { core = core.replacing(alongside: alongside) }
        do {
            return try answer(request, body, upload, user, userName ?? user.name, core, isDeferrable: isDeferrable)
        } catch {
            let version = (try? ODataVersion.negotiate(request.headerFields)) ?? .v40
            return response(Answer(answerable(error), version: version), request)
        }
    }

    private func answer(
        _ request: HTTPRequest,
        _ body: [UInt8],
        _ upload: MediaUpload?,
        _ user: UserContext,
        _ userName: String?,
        _ core: Core,
        isDeferrable: Bool
    ) throws -> ServiceResponse {
        guard domain.isOpen || !user.id.isNull else {
            throw ODataError(service: ServiceCode.signInRequired, "Sign in to use this service.")
        }
        let calls = CallReader(core: core, user: user, userName: userName, root: root(of: request))
        let text = try Address(calls.root).relative(request.path ?? "/")
        if text.prefix(while: { $0 != "?" }) == "openapi.json" { return response(try openAPI(request, user), request) }
        if let deferral, isDeferrable, let response = try later(request, text, body, upload, calls, deferral) {
            return response
        }
        if text == "v2" || text.hasPrefix("v2/") || text.hasPrefix("v2?") {
            let door = V2Door(core: core, user: user, root: calls.root) { request, body in
                self.respond(to: request, body: body, user: user, userName: userName, isDeferrable: false)
            }
            return door.respond(to: request, String(text.dropFirst(2)), body)
        }
        if RepeatabilityRecords.isRecord(text) {
            let records = RepeatabilityRecords(
                store: store,
                fields: request.headerFields,
                user: user,
                userName: userName
            )
            return response(try records.respond(request.method, text), request)
        }
        var call = try calls.call(request.method, text, request.headerFields, body)
        call.upload = upload
        if call.target.path.segments == [.batch], call.method == .post {
            let batch = BatchHandler(core: core, store: store, calls: calls, fields: request.headerFields) {
                self.answerable($0)
            }
            return try batch.respond(to: body)
        }
        guard body.count <= domain.limits.bodyBytes else {
            throw ODataError(service: ServiceCode.tooLarge, "The body is larger than \(domain.limits.bodyBytes) bytes.")
        }
        do {
            return response(try answer(call, core), request)
        } catch {
            return response(Self.answer(answerable(error), call, core.domain.model), request)
        }
    }

    /// The OpenAPI document: no resource of OData, so its path is none.
    private func openAPI(_ request: HTTPRequest, _ user: UserContext) throws -> Answer {
        guard request.method == .get || request.method == .head else {
            return try Answer.notAllowed("The OpenAPI document takes GET.", allow: "GET, HEAD", request.headerFields)
        }
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        fields[.odataVersion] = try ODataVersion.negotiate(request.headerFields).rawValue
        fields[.vary] = "Authorization"
        let documents = core.shelf.documents(for: user)
        fields[.eTag] = documents.etags.openAPI.text
        if let condition = try ETagCondition.read(.ifNoneMatch, request.headerFields),
            condition.matches(documents.etags.openAPI)
        {
            fields[.contentType] = nil
            return Answer(.notModified, fields: fields)
        }
        return Answer(.ok, fields: fields, body: .bytes(documents.openAPI))
    }

    private func answer(_ call: Call, _ core: Core) throws -> Answer {
        let isIsolated = try Isolation.isAsked(call.fields)
        let allowed = Methods.allowed(call.target.path, in: core.domain.model)
        switch call.method {
        case .options:
            var fields = HTTPFields()
            fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
            fields[.odataVersion] = call.version.rawValue
            return Answer(.noContent, fields: fields)
        case _ where !allowed.contains(call.method):
            throw ReadHandler.notAllowed(Methods.reason(against: call.method, call.target.path, in: core.domain.model))
        case .get, .head:
            let read = { (reader: any StoreReader) throws -> Answer in
                if isIsolated { return try Isolation(core: core, reader: reader).answer(to: call) }
                return try ReadHandler(core: core, reader: reader, call: call).answer()
                    .finished(spoolingIn: core.spoolFolder)
            }
            return try speaksOfChanges(call) ? store.read(read) : store.readCopy(read)
        default:
            let member = GroupHandler.Member(id: "", call: call, identity: identity(of: call))
            return try GroupHandler(core: core, store: store).run([member])[0]
        }
    }

    /// Whether an answer must be of the database itself: a copy may lag behind what the client has seen.
    private func speaksOfChanges(_ call: Call) -> Bool {
        if call.preferences.tracksChanges || call.options.deltaToken != nil { return true }
        if call.fields[.ifMatch] != nil || call.fields[.ifNoneMatch] != nil { return true }
        guard let text = call.options.skipToken else { return false }
        // A page of a load that began without tracking goes where its first page went.
        guard let page = try? core.token(text, option: "$skiptoken").place.continuation else { return true }
        return page.load != nil
    }

    /// What a single request is, byte for byte.
    private func identity(of call: Call) -> [UInt8] {
        var writer = PackedWriter()
        writer.text(call.method.rawValue)
        writer.text(String(call.text))
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch, .prefer, .contentType] {
            writer.text(call.fields[name] ?? "")
        }
        writer.bytes(call.body)
        if let upload = call.upload { writer.text((try? upload.finish()) ?? "") }
        return writer.bytes
    }

    /// The service root as the client reaches it.
    private func root(of request: HTTPRequest) -> String {
        guard let scheme = request.scheme, let authority = request.authority, !authority.isEmpty else { return path }
        return "\(scheme)://\(authority)\(path)"
    }

    /// A request as a call, without its body; `nil` for what is no resource of OData.
    func call(of request: HTTPRequest, user: UserContext, userName: String?) throws -> Call? {
        let calls = CallReader(core: core(for: user), user: user, userName: userName, root: root(of: request))
        let text = try Address(calls.root).relative(request.path ?? "/")
        guard !text.hasPrefix("v2/"), !text.hasPrefix("$batch") else { return nil }
        return try calls.call(request.method, text, request.headerFields, [])
    }

    func response(_ answer: Answer, _ request: HTTPRequest) -> ServiceResponse {
        var head = HTTPResponse(status: answer.status, headerFields: answer.fields)
        if answer.status == .unauthorized { head.headerFields[.wwwAuthenticate] = "Bearer" }
        if case .file(let file) = answer.body {
            head.headerFields[.contentLength] = "\(file.count)"
            return ServiceResponse(head: head, body: request.method == .head ? .bytes([]) : .spool(file))
        }
        let bytes = answer.bytes
        if answer.status != .noContent, answer.status != .notModified {
            head.headerFields[.contentLength] = "\(bytes.count)"
        }
        return ServiceResponse(head: head, body: .bytes(request.method == .head ? [] : bytes))
    }
}
