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
    @Option(help: "Sign in as this user.") var user: String?
    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input.") var passwordStdin = false
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A set to take, or a part of it; may be given more than once.", valueName: "set[?$filter=…]")
    )
    var sets: [String] = []
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(file) cannot be attached to \(url).") {
            let device = try DeviceStore(file)
            let requests = try sets.map { try SubscriptionRequest(parsing: $0) }
            let session = Session(
                address: try ServiceAddress(url),
                transport: ToolTransport.make(),
                device: HostName.text
            )
            if let user {
                let prompt = "Password of \(user) at \(session.address.host): "
                let password = try PasswordInput.read(fromStandardInput: passwordStdin, prompt: prompt)
                try await session.signIn(Credentials(user: user, password: password))
            }
            let attacher = StoreAttacher(client: ODataClient(session: session))
            let report = try await Interruption.cancelling {
                try await attacher.attach(
                    device.store,
                    requests: requests.isEmpty ? nil : requests,
                    tokens: DeviceStore.tokens
                )
            }
            try device.store.close()
            let text =
                "Attached: \(report.sent) transactions sent, \(report.received) rows received"
                + (report.quarantined > 0 ? ", \(report.quarantined) refused: tideline quarantine \(file)" : "") + "."
            Output(json: json).result(
                [
                    ("sent", .integer(report.sent)), ("received", .integer(report.received)),
                    ("conflicts", .integer(report.conflicts)), ("quarantined", .integer(report.quarantined)),
                ],
                text: text
            )
        }
    }
}
