// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel
import TidelineOData
import TidelineStorage

/// What every handler of a domain shares: made once, never changed.
///
/// A class, for some ten handlers take it along for every row that is written.
final class Core: Sendable {
    let domain: Domain
    let planner: Planner
    /// What every written row has to meet.
    let rules: RuleSet
    let signer: TokenSigner
    /// The folder of spool files.
    let spoolFolder: String
    /// Where the streams are that are kept in files.
    let files: MediaFiles?
    /// What the service tells of itself, to each user of what it may use.
    let shelf: DocumentShelf
    /// The server's clock, in seconds from 1970, where there is one: it bounds how long a request can be repeated.
    let now: (@Sendable () -> Int64)?
    /// The properties whose changes the store can list by value, by set.
    let scopeProperties: [String: [String]]
    /// What is written in the transaction of the request, after all of its own; when it throws, nothing is written.
    let alongside: (@Sendable (any StoreWriter) throws -> Void)?
    /// Gets what is no client's business, with the id that the client was told, if any was.
    let report: @Sendable (_ id: String, _ error: any Error) -> Void
    /// Gets what failed in a batch, which is answered 200.
    let tell: @Sendable (BatchFailures) -> Void
    let exceptions: ReportedExceptions

    init(
        domain: Domain,
        planner: Planner,
        rules: RuleSet,
        signer: TokenSigner,
        spoolFolder: String,
        files: MediaFiles?,
        shelf: DocumentShelf,
        now: (@Sendable () -> Int64)?,
        scopeProperties: [String: [String]],
        alongside: (@Sendable (any StoreWriter) throws -> Void)? = nil,
        report: @escaping @Sendable (_ id: String, _ error: any Error) -> Void,
        tell: @escaping @Sendable (BatchFailures) -> Void,
        exceptions: ReportedExceptions? = nil
    ) {
        self.domain = domain
        self.planner = planner
        self.rules = rules
        self.signer = signer
        self.spoolFolder = spoolFolder
        self.files = files
        self.shelf = shelf
        self.now = now
        self.scopeProperties = scopeProperties
        self.alongside = alongside
        self.report = report
        self.tell = tell
        self.exceptions = exceptions ?? ReportedExceptions(report)
    }

    /// The same, but for what is given.
    func replacing(
        domain: Domain? = nil,
        planner: Planner? = nil,
        alongside: (@Sendable (any StoreWriter) throws -> Void)? = nil
    ) -> Core {
        Core(
            domain: domain ?? self.domain,
            planner: planner ?? self.planner,
            rules: rules,
            signer: signer,
            spoolFolder: spoolFolder,
            files: files,
            shelf: shelf,
            now: now,
            scopeProperties: scopeProperties,
            alongside: alongside ?? self.alongside,
            report: report,
            tell: tell,
            exceptions: exceptions
        )
    }

    /// What the tokens of a query are bound to.
    func scope(of query: Query, _ call: Call) -> [UInt8] {
        let set = query.plan.set
        var scope = Scope(domain: domain.name, set: set, user: call.user, userName: call.userName)
        scope.add(properties: query.plan.columns, of: set.type)
        scope.add("policy", query.policy, over: set, in: planner.model, for: call.user)
        scope.add("filter", query.filter, over: set, in: planner.model, for: call.user)
        scope.add("restriction", query.restriction, over: set, in: planner.model, for: call.user)
        add(query.plan.expansions, of: set, to: &scope, call)
        if let applied = query.applied { scope.add("apply", applied) }
        return scope.hash
    }

    /// Adds what is expanded, at every level.
    private func add(_ expansions: [ReadPlan.Expansion], of set: EntitySet, to scope: inout Scope, _ call: Call) {
        for expansion in expansions {
            let target = expansion.plan.set
            scope.add("expand", set.type.navigationProperties[expansion.navigation].names.wire)
            scope.add(properties: expansion.plan.columns, of: target.type)
            scope.add("filter", expansion.plan.filter, over: target, in: planner.model, for: call.user)
            if let link = expansion.link(of: set)?.set {
                scope.add("links", expansion.linkFilter, over: link, in: planner.model, for: call.user)
            }
            add(expansion.plan.expansions, of: target, to: &scope, call)
            scope.add("end", "")
        }
    }

    /// The order of a query as bytes.
    func order(of query: Query, _ call: Call) -> [UInt8] {
        var scope = Scope(domain: domain.name, set: query.plan.set, user: call.user, userName: call.userName)
        scope.add(order: query.plan, for: call.user)
        return scope.hash
    }

    /// Whether a next link was made for this query, or for the related entities of a row as which it asks for more of them.
    func isOf(_ query: Query, _ token: LinkToken, _ call: Call) -> Bool {
        if case .rest = token.place {
            return token.scope == Scope(rest: query.plan, policy: query.policy, for: call.user).hash
        }
        return token.scope == scope(of: query, call) + order(of: query, call)
    }

    /// What a link carries.
    ///
    /// - Throws: `InvalidToken` for a token that this domain did not make.
    func token(_ text: String, option: String) throws(ODataError) -> LinkToken {
        guard let payload = signer.payload(of: text), let token = LinkToken(packed: payload) else {
            throw ODataError(
                service: ServiceCode.invalidToken,
                "The value of \(option) is not of this service.",
                target: option
            )
        }
        return token
    }

    func text(of token: LinkToken) -> String { signer.sign(token.packed) }
}

extension ETag {
    /// The version of a document: a hash of its bytes.
    init(of document: [UInt8]) {
        let digest = Array(SHA256.hash(data: document))
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: number(digest[0..<8]), low: number(digest[8..<16]))
    }
}
