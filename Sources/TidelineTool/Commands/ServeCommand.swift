// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import TidelineServer

/// `tideline serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the published domains over HTTP.",
        discussion: """
            A try on this machine, with three domains full of data:
              tideline serve --demo

            Your own domains, for this machine:
              tideline serve --data ./data

            For other machines, over TLS (passwords travel no other way):
              tideline serve --data ./data --host 0.0.0.0 --port 8443 \\
                --tls-cert cert.pem --tls-key key.pem

            Domains that are published, changed or unpublished meanwhile are noticed at
            the next request. Ctrl-C or SIGTERM ends the server when the requests in
            progress are done. Each request is one line of log on standard error, without
            values or tokens.
            """
    )

    @OptionGroup var data: DataOption

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("host-name"),
        help: ArgumentHelp("A name under which a proxy passes requests on; repeatable.", valueName: "name")
    )
    var hostNames: [String] = []

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port = 8080

    @Option(name: .customLong("tls-cert"), help: ArgumentHelp("The certificate chain, PEM.", valueName: "file"))
    var certificate: String?

    @Option(name: .customLong("tls-key"), help: ArgumentHelp("The private key, PEM.", valueName: "file"))
    var key: String?

    @Flag(
        name: .customLong("basic-sign-in"),
        help: "Take a name and a password with each request too (Basic), for clients that know nothing else."
    )
    var takesBasic = false

    @Flag(help: "Make the domains pctrade, sixbookmarks and fishing, with data, and serve them too. Loopback only.")
    var demo = false

    @Option(
        name: .customLong("smtp"),
        help: ArgumentHelp(
            "Where mails are handed in; without it they are files in DATA/mail.",
            valueName: "smtp://host[:port]"
        )
    )
    var mailServer: String?

    @Option(name: .customLong("mail-from"), help: ArgumentHelp("The sender of mails.", valueName: "address"))
    var mailFrom: String?

    @Option(name: .customLong("log-level"), help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel = "info"

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-cert and --tls-key go together.")
        }
        guard (mailServer == nil) == (mailFrom == nil) else {
            throw ValidationError("--smtp and --mail-from go together.")
        }
        if let mailServer, SMTPAddress(mailServer) == nil {
            throw ValidationError("--smtp is smtp:// and a mail server of this machine, such as 127.0.0.1:25.")
        }
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("--log-level is trace, debug, info, notice, warning, error or critical.")
        }
    }

    func run() async throws {
        let tls = certificate.flatMap { certificate in
            key.map { ServerSettings.TLS(certificatePath: certificate, keyPath: $0) }
        }
        let settings = ServerSettings(
            host: host,
            hostNames: hostNames,
            port: port,
            tls: tls,
            takesBasic: takesBasic,
            cores: ProcessorCount.current
        )
        if demo, !settings.isLoopback {
            throw CommandFailure(
                "The demo is served on a loopback address only, such as 127.0.0.1.",
                why: "Its domain pctrade is open to everybody, and the passwords of the others stand in the README.",
                next: "Leave --host out, or serve without --demo."
            )
        }
        var logger = Logger(label: "tideline", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
        OpenFileLimit.raise()
        do {
            let directory = data.directory
            let isNew = !FilePath.exists(directory.path)
            let accounts = try ServerStores.accounts(directory)
            if demo { try DemoDomains(data: directory, accounts: accounts).makeMissing() }
            let server = try Server(
                settings: settings,
                data: directory,
                accounts: accounts,
                logger: logger,
                mails: mailSender(),
                openStore: ServerStores.open
            )
            if !settings.isLoopback, tls == nil {
                logger.warning("No TLS: sign-in is refused from other machines")
            }
            let isEmpty = directory.publishedDomains().isEmpty
            try await server.run { address in
                StandardStream.output.write("Listening on \(address)\n")
                guard isEmpty else { return }
                let folder = directory.path + (isNew ? " was not there and was made; it" : "")
                StandardStream.error.write(
                    "\(folder) holds no domain yet. Publish one: tideline publish sqlite:FILE --domain NAME "
                        + "--data \(ShellWord.quoted(directory.path)) --open\n"
                )
            }
        } catch {
            throw CommandFailure.wrap("The server did not start.", error, next: advice(error))
        }
    }

    /// What sends mails, or `nil` for files.
    private func mailSender() -> (any MailSender)? {
        guard let mailServer, let mailFrom, let address = SMTPAddress(mailServer) else { return nil }
        return SMTPSender(address, from: mailFrom)
    }

    private func advice(_ error: any Error) -> String? {
        guard let error = error as? ServerError, error.code == .portInUse else { return nil }
        return "Stop that process, or choose another port: --port \(port < 65_535 ? port + 1 : 8080), or 0 for any."
    }
}
