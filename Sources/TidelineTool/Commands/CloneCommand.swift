// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineStore
import TidelineSync

/// `tideline clone`.
struct CloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Make a store file from a service, with all that you may read or a part of it.",
        discussion: """
            tideline clone http://127.0.0.1:8080/odata/pctrade/ trade.tideline
            tideline clone https://example.org/odata/shop/ shop.tideline --user ann \\
              --set 'Orders?$filter=Total gt 100'

            A clone that fails leaves no file.
            """
    )

    @Argument(help: "The address of the domain.") var url: String
    @Argument(help: "The store file to make.") var file: String
    @OptionGroup var signIn: SignInOption
    @OptionGroup var chosen: SetsOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.beforeStore("\(url) cannot be cloned.") {
            try FilePath.requireFolder(of: file)
            let requests = try chosen.requests()
            let session = try await signIn.session(at: url)
            let line = ProgressLine()
            defer { line.finish() }
            let cloner = try StoreCloner(client: ODataClient(session: session), settings: DeviceStore.settings())
            let target = file
            let (store, report) = try await Interruption.cancelling {
                try await cloner.clone(
                    to: target,
                    requests: requests,
                    tokens: DeviceStore.tokens,
                    progress: { line.show($0) }
                )
            }
            line.finish()
            let names = try store.subscriptions().map(\.set)
            try store.close()
            let output = Output(json: json)
            output.result(
                [
                    ("file", .text(file)), ("rows", .integer(report.received)),
                    ("sets", .raw("[" + names.map(JSONText.string).joined(separator: ",") + "]")),
                    ("leftOut", .raw(JSONText.array(report.leftOut))),
                ],
                text: """
                    \(PlainText.count(report.received, "row")) of \(PlainText.count(names.count, "set")) in \
                    \(file).\(report.leftOutText)
                    See some: tideline query \(ShellWord.quoted(file)) '\(names.first ?? "Set")?$top=5'
                    """
            )
        }
    }
}
