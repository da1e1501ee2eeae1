// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStore

/// `tideline briefcase export`.
struct BriefcaseExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all that a store holds to a briefcase. Needs no connection.",
        discussion: """
            tideline briefcase export app.tideline out.briefcase
            tideline briefcase export app.tideline out --folder --data-version 3 \\
              --property page=12

            A briefcase that is there already is replaced when the new one is whole. What
            was sent and not answered is in doubt after an import: sync first.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The briefcase to write: a file, or with --folder a folder.") var briefcase: String
    @Flag(help: "Write a folder of text files instead of one file.") var folder = false
    @OptionGroup var version: DataVersionOption
    @Option(
        name: .customLong("property"),
        help: ArgumentHelp("A text of your own to put in; may be given more than once.", valueName: "name=value")
    )
    var properties: [String] = []
    @Flag(help: "Write JSON.") var json = false

    func validate() throws { _ = try named() }

    func run() async throws {
        let what = "\(file) cannot be exported to \(briefcase)."
        try await DeviceFailure.during(what) {
            try FilePath.requireFolder(of: briefcase)
            let store = try DeviceStore(file).store
            do {
                try requireBriefcase()
                try store.exportBriefcase(
                    to: briefcase,
                    form: folder ? .folder : .file,
                    version: version.text,
                    properties: try named()
                )
            } catch let error as LocalStoreError where error.code == .foreignFile {
                throw CommandFailure(
                    what,
                    why: error.message,
                    next: "Name an earlier briefcase of the same form, or a place where nothing is."
                )
            }
            try store.close()
            guard let summary = try Briefcase.summary(at: briefcase) else {
                throw CommandFailure("\(briefcase) cannot be read again.", next: "Export once more.")
            }
            BriefcaseText(summary).write(to: Output(json: json), first: "Exported to \(briefcase).")
        }
    }

    /// Lets no file be replaced that is another thing, such as a store.
    private func requireBriefcase() throws {
        guard FilePath.exists(briefcase), !FilePath.isFolder(briefcase), try Briefcase.look(at: briefcase) == nil
        else { return }
        throw LocalStoreError(.foreignFile, message: "'\(briefcase)' is no briefcase.")
    }

    /// The properties by their names.
    private func named() throws -> [String: String] {
        var named: [String: String] = [:]
        for text in properties {
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                throw ValidationError("'\(text)' is no property: write NAME=VALUE.")
            }
            let name = String(text[..<sign])
            guard named.updateValue(String(text[text.index(after: sign)...]), forKey: name) == nil else {
                throw ValidationError("The property '\(name)' is given twice.")
            }
        }
        return named
    }
}
