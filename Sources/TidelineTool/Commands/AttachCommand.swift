// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineStore
import TidelineSync

/// `tideline attach`.
struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Give a store that was made with no server a service: its rows go there.",
        discussion: """
            tideline attach app.tideline https://example.org/odata/shop/ --user ann

            Both models are compared first; where they do not fit, it says what differs and
            changes nothing. Interrupted, it goes on when it is run again, or with
            tideline sync.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The address of the domain.") var url: String
    @OptionGroup var signIn: SignInOption
    @OptionGroup var chosen: SetsOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(file) cannot be attached to \(url).") {
            let device = try DeviceStore(file)
            let requests = try chosen.requests()
            let session = try await signIn.session(at: url)
            let attacher = StoreAttacher(client: ODataClient(session: session))
            let (named, address) = (file, url)
            let report = try await Interruption.cancelling {
                do {
                    return try await attacher.attach(device.store, requests: requests, tokens: DeviceStore.tokens)
                } catch let error as SyncError where error.code == .otherService {
                    throw CommandFailure(
                        "\(named) cannot be attached to \(address).",
                        why: error.message,
                        next: "Attach a store that was made without a service.\n"
                            + "Where its service has this address now: tideline move \(ShellWord.quoted(named)) "
                            + ShellWord.quoted(address)
                    )
                }
            }
            try device.store.close()
            Output(json: json).result(
                [
                    ("sent", .integer(report.sent)), ("received", .integer(report.received)),
                    ("conflicts", .integer(report.conflicts)), ("quarantined", .integer(report.quarantined)),
                ],
                text: "Attached: \(report.exchangeText)" + report.adviceText(file)
            )
        }
    }
}
