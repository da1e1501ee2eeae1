// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineServer
import TidelineService
import TidelineStorage

/// The publishing of one database: who may do what is settled first, then database and file change together.
struct Publication {
    let source: DatabaseSource
    let name: String
    let data: DataDirectory
    let isOpen: Bool
    /// What is decided about the tables, beside what the domain's file says already.
    var choices = PublishingChoices()
    /// What was left out before, and is to be in the model again.
    var included: Set<String> = []
    /// YAML of policies, and of `signIn` where that stands there too; nil to keep those that the domain has.
    let policies: String?
    /// What is written into the file, where it differs from `source`.
    var written: Domain.Database?
    /// Whether a database that is published already is that of this domain, whose file was lost.
    var continuesDomain = false
    /// What changes in the model that was read from the database.
    var adjust: @Sendable (inout EntityModel) -> Void = { _ in }

    /// - Throws: ``CommandFailure``, or an error of the database; nothing is changed then.
    func publish() throws -> PublicationReport {
        let folder = data.folder(domain: name)
        let file = data.file(domain: name)
        let pending = file + ".pending"
        let existing = FilePath.exists(file) ? try ServerStores.domain(name, in: data) : nil
        if let existing { try refuseOtherDatabase(existing, in: folder) }
        if let name = included.intersection(choices.skipped).min() {
            throw CommandFailure("\(name) is both left out and included.")
        }
        let before = existing?.publishing ?? PublishingChoices()
        if let name = included.subtracting(before.skipped).min() {
            throw CommandFailure(
                "\(name) is not left out of \(self.name).",
                why: before.skipped.isEmpty ? nil : "Left out: \(before.skipped.sorted().joined(separator: ", "))."
            )
        }
        let choices = choices.adding(to: before.including(included))
        try refuseSecondDomain(isPublished: existing != nil)
        // A file of before that never took its place: its process ended between the two.
        let isLeftover = FilePath.exists(pending)
        if !isOpen, policies == nil, existing?.policies.isEmpty ?? true {
            throw missingPolicies(
                try source.scan(namespace: namespace, choices).model
            )
        }
        try refuseReadableHashes(existing, choices)
        let isNew = !FilePath.exists(data.path)
        try data.create()
        try DataDirectory.makeFolder(folder)
        var domain: Domain?
        do {
            let result = try source.publish(
                namespace: namespace,
                choices,
                scopes: { model in (try? makeDomain(of: model, choices, after: existing).scopeProperties) ?? [:] },
                isLeftover: { existing != nil || isLeftover || continuesDomain },
                beforeCommit: { found in
                    try refuse(found.problems.filter { $0.stopsPublishing && !isKept($0) }, choices)
                    let made = try makeDomain(of: found.model, choices, after: existing)
                    if let column = PasswordColumns(made.signIn).readable(in: made.model) { throw readableHash(column) }
                    try made.write(
                        to: pending,
                        permissions: source.isSecret ? 0o600 : 0o644,
                        notes: Self.notes(found.hints)
                    )
                    domain = made
                }
            )
            try FilePath.rename(pending, to: file)
            let model = domain?.model ?? result.model
            return PublicationReport(
                domain: name,
                database: source.shown,
                model: model,
                problems: result.problems.map { isKept($0) ? Self.absent($0.table) : $0 }
                    + Self.additions(to: existing?.model, in: model),
                leftOut: before.including(included).skipped.subtracting(result.problems.filter(isKept).map(\.table))
                    .sorted(),
                isOpen: isOpen
            )
        } catch {
            FilePath.remove(pending)
            if existing == nil { FilePath.remove(folder) }
            if isNew { data.removeEmpty() }
            throw error
        }
    }

    /// Whether a problem is that the domain's file names what is no more there: what comes back is left out again.
    private func isKept(_ problem: Introspection.Problem) -> Bool { problem.isAbsence && !choices.names(problem.table) }

    private static func absent(_ name: String) -> Introspection.Problem {
        .note(name, "\(name) stands under publishing in the domain's file, and is not there.")
    }

    /// What a model has that the one before had not, so that nothing comes in unseen.
    private static func additions(to before: EntityModel?, in model: EntityModel) -> [Introspection.Problem] {
        guard let before else { return [] }
        return model.sets.flatMap { set in
            let table = set.names.database
            guard let old = before.sets.first(where: { $0.names.database == table }) else {
                return [Introspection.Problem.note(table, "\(table) is new in the model.")]
            }
            let known = Set(old.type.properties.map(\.names.database))
            return set.type.properties.map(\.names.database).filter { !known.contains($0) }
                .map { .note(table, "\(table).\($0) is new in the model.") }
        }
    }

    /// The domain over a model, with what the one before says and this publishing does not.
    ///
    /// What is written must be read again: so every mistake is found before anything is changed.
    private func makeDomain(
        of model: EntityModel,
        _ choices: PublishingChoices,
        after existing: Domain?
    ) throws -> Domain {
        var model = model
        adjust(&model)
        var domain = Domain(
            name: name,
            database: written ?? source.database,
            isOpen: isOpen,
            requiresIfMatch: existing?.requiresIfMatch ?? false,
            model: model,
            policies: isOpen || policies != nil ? [] : existing?.policies ?? [],
            limits: existing?.limits ?? ServiceLimits(),
            retention: existing?.retention ?? Domain.defaultRetention
        )
        domain.database.replica = domain.database.replica ?? existing?.database.replica
        domain.tellsWholeModel = existing?.tellsWholeModel ?? false
        domain.publishing = choices
        if policies.map(Self.signsIn) != true { domain.signIn = existing?.signIn ?? [] }
        if policies.map(Self.hasDoors) != true {
            (domain.sixBookmarks, domain.fishing) = (existing?.sixBookmarks, existing?.fishing)
        }
        if let policies { domain = try Self.adding(policies, to: domain) }
        return try Domain(yaml: domain.yaml)
    }

    /// Lines for the file that tell what was seen and not decided.
    private static func notes(_ hints: [Introspection.Problem]) -> [String] {
        guard !hints.isEmpty else { return [] }
        return ["Seen, and not decided:"]
            + hints.map { "  \($0.message) (publish --guess \($0.guess?.rawValue ?? "all"))" }
    }

    private var namespace: String {
        name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }

    /// The domain with policies that are given as YAML: a list, or a mapping with the one key `policies`.
    private static func adding(_ text: String, to domain: Domain) throws -> Domain {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let hasKey = lines.contains { $0.hasPrefix("policies:") } || signsIn(text) || hasDoors(text)
        let fragment = hasKey ? text : "policies:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
        let base = domain.yaml.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("policies:") }
            .joined(separator: "\n")
        do {
            return try Domain(yaml: base + "\n" + fragment + "\n")
        } catch {
            throw CommandFailure("The policies cannot be used.", why: error.message)
        }
    }

    /// Whether a file of policies says too where users are found.
    private static func signsIn(_ text: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix("signIn:") }
    }

    /// Whether a file of policies says too which doors for older clients there are.
    private static func hasDoors(_ text: String) -> Bool {
        text.split(separator: "\n").contains { $0.hasPrefix("compatibility:") }
    }

    // MARK: - Refusals

    private func refuseOtherDatabase(_ existing: Domain, in folder: String) throws {
        let other = DatabaseSource(existing.database, folder: folder)
        guard other.isOther(than: source) else { return }
        throw CommandFailure(
            "The domain \(name) exists and holds another database, \(other.shown).",
            next: "Choose another name, or take it away first: "
                + "tideline unpublish \(name) --data \(ShellWord.quoted(data.path))"
        )
    }

    /// Two domains would share what publishing adds, and unpublishing one would take it from the other.
    ///
    /// - Parameter isPublished: whether this one has the database already, as an earlier release let it: the other goes alone.
    private func refuseSecondDomain(isPublished: Bool) throws {
        guard let other = ServerStores.otherDomain(of: source, than: name, in: data) else { return }
        throw CommandFailure(
            "The database was not published; nothing was changed.",
            why: "It is published here as \(other).",
            next: "Unpublish it first: tideline unpublish \(other) --data \(ShellWord.quoted(data.path))"
                + (isPublished ? " --forget" : "")
        )
    }

    private func readableHash(_ column: String) -> CommandFailure {
        CommandFailure(
            "The database was not published; nothing was changed.",
            why: "Its users sign in with the hashes in \(column), which every device could read.",
            next: "Leave the column out: --skip \(ShellWord.quoted(column))"
        )
    }

    /// Publishing reads the tables anew, the column of the hashes too.
    private func refuseReadableHashes(_ existing: Domain?, _ choices: PublishingChoices) throws {
        let signsIn = policies.map(Self.signsIn) == true || existing?.signIn.isEmpty == false
        guard signsIn, choices.skipped.isEmpty else { return }
        throw CommandFailure(
            "The database was not published; nothing was changed.",
            why: "Its users sign in with hashes that stand in a column, and nothing is to be left out.",
            next: "Leave the column out with --skip TABLE.COLUMN, so that no request reads it."
        )
    }

    private func refuse(_ problems: [Introspection.Problem], _ choices: PublishingChoices) throws {
        guard !problems.isEmpty else { return }
        let missing = problems.filter { $0 == .missingView($0.table) }
        // A name that is left out already cannot be left out once more, nor one that is not there.
        var tables: [String] = []
        for problem in problems where !choices.skipped.contains(problem.table) && !missing.contains(problem) {
            if !tables.contains(problem.table) { tables.append(problem.table) }
        }
        let them = tables.count == 1 ? "it" : "them"
        let options = tables.map { "--skip \(ShellWord.quoted($0))" }.joined(separator: " ")
        var steps: [String] = missing.isEmpty ? [] : ["Correct --key."]
        if !tables.isEmpty {
            steps.append("Repair \(tables.joined(separator: ", ")), or leave \(them) out with \(options).")
        } else if missing.count < problems.count {
            let kept = problems.map(\.table).filter { !self.choices.names($0) }
            let options = kept.map { "--include \(ShellWord.quoted($0))" }.joined(separator: " ")
            steps.append(kept.isEmpty ? "Correct --skip." : "Have it in the model again: \(options)")
        }
        throw CommandFailure(
            "The database was not published; nothing was changed.",
            why: problems.map(\.message).joined(separator: "\n"),
            next: steps.joined(separator: "\n")
        )
    }

    private func missingPolicies(_ model: EntityModel) -> CommandFailure {
        let owner = model.sets.lazy.compactMap { set in
            set.type.properties.first { property in
                let name = property.names.wire.lowercased()
                return name == "ownerid" || name == "userid" || name == "owner"
            }.map { (set.names.wire, $0.names.wire) }
        }.first
        let set = owner?.0 ?? model.sets.first?.names.wire ?? "Orders"
        let condition = "\(owner?.1 ?? "OwnerId") eq @me"
        return CommandFailure(
            "Nobody could use the domain: it has no policies.",
            why: "What no policy allows is refused.",
            next: """
                Write policies into a file and name it with --policies, for example:
                    policies:
                      - {role: "*", sets: [\(set)], operations: [read, insert, update, delete], where: "\(condition)"}
                      - {role: editor, sets: "*", operations: [read, insert, update, delete]}
                Or, for a trial on this machine, let everybody do everything with --open.
                """
        )
    }
}
