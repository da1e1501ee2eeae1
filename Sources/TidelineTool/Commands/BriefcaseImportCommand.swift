// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStore

/// `tideline briefcase import`.
struct BriefcaseImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put the content of a briefcase in place of a store's own. Needs no connection.",
        discussion: """
            tideline briefcase import out.briefcase other.tideline --data-version 3

            The store must have the model of the one that was exported. It sends what the
            briefcase has waiting, as a client of its own: sign in again where the service
            asks for it, and import a briefcase into one store only.
            """
    )

    @Argument(help: "The briefcase: a file or a folder.") var briefcase: String
    @Argument(help: "The store file.") var file: String
    @OptionGroup var version: DataVersionOption
    @Flag(help: "Give up the store's own changes that were not sent.") var discard = false
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let what = "\(briefcase) cannot be imported into \(file)."
        try await DeviceFailure.during(what) {
            let store = try DeviceStore(file).store
            let outcome: Briefcase.Import
            do {
                outcome = try store.importBriefcase(
                    from: briefcase,
                    version: version.text,
                    discardingChanges: discard
                )
            } catch let error as LocalStoreError where error.code == .pendingChanges {
                throw CommandFailure(
                    what,
                    why: "The store has \(PlainText.count(error.changes.count, "change")) of its own, not sent.",
                    next: "Give them up with --discard, or send them first: tideline sync \(ShellWord.quoted(file))"
                )
            }
            switch outcome {
            case .ignored(let reason): throw failure(what, reason)
            case .imported(let properties): try tell(properties, try store.status())
            }
            try store.close()
        }
    }

    private func tell(_ properties: [String: String], _ status: StoreStatus) throws {
        Output(json: json).result(
            [
                ("version", .text(version.text)), ("properties", BriefcaseText.cell(properties)),
                ("pending", .integer(status.pendingTransactions)), ("conflicts", .integer(status.conflicts)),
                ("quarantined", .integer(status.quarantined)),
            ],
            text: "Imported: \(PlainText.count(status.pendingTransactions, "transaction")) to send, "
                + "\(PlainText.count(status.conflicts, "conflict")), \(status.quarantined) in quarantine."
        )
    }

    private func failure(_ what: String, _ reason: Briefcase.Reason) -> CommandFailure {
        switch reason {
        case .missing: BriefcaseText.missing(briefcase, what)
        case .otherVersion(let other):
            CommandFailure(
                what,
                why: "It has data of version '\(other)', and version '\(version.text)' is asked for.",
                next: "Nothing was changed. Where the store reads that version: --data-version '\(other)'"
            )
        case .otherFormat(let format):
            CommandFailure(
                what,
                why: "It has the format \(format), which this tideline does not read.",
                next: "Nothing was changed. Import it with the tideline that wrote it, or a newer one."
            )
        }
    }
}
