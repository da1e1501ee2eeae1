// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineStore
import TidelineSync

/// `tideline move`.
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Have a store follow its service to another address.",
        discussion: """
            tideline move shop.tideline https://new.example.org/odata/shop/ --user ann

            For a server that has another host, port, scheme or name of the domain now.
            Rows, changes that wait and the conflict log stay, and nothing is sent twice;
            rows are loaded anew where the domain has another name, or the server's data
            folder another key for links.

            It changes nothing unless the same domain is found there: another publication
            of the database knows nothing of what this device sent. A service that is not
            Tideline's cannot tell; there you are trusted.

            A sign-in goes to the address where it was made alone, so the user signs in
            again.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "The address that the domain has now.") var url: String
    @OptionGroup var signIn: SignInOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(file) is not moved to \(url), or not in step.") {
            let device = try DeviceStore(file)
            defer { try? device.store.close() }
            let session = try device.session(at: url, tokens: .memory())
            try await signIn.signIn(session)
            let (named, address) = (file, url)
            let user = try device.store.identity().origin?.userName ?? "NAME"
            let mover = StoreMover(client: ODataClient(session: session))
            let report = try await Interruption.cancelling {
                do {
                    return try await mover.move(device.store, tokens: DeviceStore.tokens)
                } catch let error as ClientError where error.code == .signInRequired {
                    throw CommandFailure(
                        "\(named) is not moved to \(address), or not in step.",
                        why: error.message,
                        next: "Sign in there: tideline move \(ShellWord.quoted(named)) \(ShellWord.quoted(address)) "
                            + "--user \(ShellWord.quoted(user))"
                    )
                }
            }
            Output(json: json).result(
                [
                    ("service", .text(session.address.text)), ("sent", .integer(report.sent)),
                    ("received", .integer(report.received)), ("conflicts", .integer(report.conflicts)),
                    ("quarantined", .integer(report.quarantined)),
                ],
                text: "Moved to \(session.address.text): \(report.exchangeText)" + report.adviceText(file)
            )
        }
    }
}
