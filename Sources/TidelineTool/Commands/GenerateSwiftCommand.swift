// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineGenerator
import TidelineModel
import TidelineOData
import TidelineServer
import TidelineService

/// `tideline generate swift`.
struct GenerateSwiftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the entities of a service, a domain or a file as Swift.",
        discussion: """
            From a service, from a domain of this machine, from a file of CSDL:
              tideline generate swift http://127.0.0.1:8080/odata/pctrade/ \\
                --output Sources/App/Model
              tideline generate swift pctrade --data ./data --output Sources/App/Model
              tideline generate swift shop.xml --output Sources/App/Model --module Shop

            A file for each entity and each enumeration, and one that lists the entities.
            Run again, the same model gives the same bytes; files of what is gone are
            removed. What you write yourself stays: put it into extensions in files of
            other names (Order+Custom.swift). In a package, the command plug-in does it:
              swift package tideline-generate swift … --output Sources/App/Model
            """
    )

    @Argument(help: "The address of a domain, the name of one in --data, or a file of CSDL in XML or JSON.")
    var source: String
    @Option(help: "The folder for the files; made where it is missing.") var output: String
    @Option(help: "What the list of entities is called after; the model's namespace where it is not given.")
    var module: String?
    @OptionGroup var data: DataOption
    @OptionGroup var signIn: SignInOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let model = try await DeviceFailure.beforeStore("The model of \(source) cannot be had.") {
            try await readModel()
        }
        let name = module ?? model.namespace.split(separator: ".").last.map(String.init) ?? "App"
        let generator = SwiftGenerator(model, module: name)
        guard generator.files.count > 1 else {
            throw CommandFailure(
                "\(source) has no entities that Swift can be written for.",
                why: generator.leftOut.isEmpty ? nil : generator.leftOut.joined(separator: "\n")
            )
        }
        let report: GeneratedFolder.Report
        do {
            report = try GeneratedFolder(path: output).replace(with: generator.files)
        } catch {
            throw CommandFailure.wrap("The files cannot be written.", error)
        }
        var text = "\(PlainText.count(report.written.count, "file")) written, \(report.unchanged) unchanged"
        if !report.removed.isEmpty { text += ", removed: \(report.removed.joined(separator: ", "))" }
        text += "."
        for line in generator.leftOut { text += "\nLeft out: \(line)" }
        Output(json: json).result(
            [
                ("written", .integer(report.written.count)), ("unchanged", .integer(report.unchanged)),
                ("removed", .raw(JSONText.array(report.removed))), ("leftOut", .raw(JSONText.array(generator.leftOut))),
            ],
            text: text
        )
    }

    private func readModel() async throws -> EntityModel {
        if source.hasPrefix("http://") || source.hasPrefix("https://") {
            return try await ODataClient(session: try await signIn.session(at: source)).model()
        }
        if FilePath.exists(source), !FilePath.isFolder(source) { return try ModelFile.read(source).model }
        guard Domain.isName(source) else {
            throw CommandFailure("There is no file \(source).", next: "Check the path.")
        }
        return try ModelFile.told(of: try ServerStores.domain(source, in: try data.existing()))
    }
}
