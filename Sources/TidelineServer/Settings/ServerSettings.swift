// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How a server is set up.
public struct ServerSettings: Hashable, Sendable {
    /// The files of TLS.
    public struct TLS: Hashable, Sendable {
        /// The certificate chain, PEM.
        public var certificatePath: String
        /// The private key of the first certificate, PEM.
        public var keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// The address to listen on: an IP address or a host name.
    public var host: String
    /// Names under which a proxy passes requests on to a server on loopback.
    public var hostNames: [String]
    /// The port, or 0 for one that the system chooses.
    public var port: Int
    public var tls: TLS?
    /// Whether requests for data may carry a name and a password, `Authorization: Basic`, in place of a token.
    public var takesBasic: Bool
    /// Threads for requests to databases; those that wait for the same commit are committed together.
    public var threads: Int
    /// Threads for passwords: each try takes a tenth of a second and 32 MiB.
    public var passwordThreads: Int
    /// The longest time that the body of a request may take to arrive.
    public var bodyTimeout: Duration
    /// The longest time that a client may take nothing of an answer that is ready for it.
    public var answerTimeout: Duration
    /// The most memory, in bytes, of all answers that wait for their readers; the others wait in files.
    public var answerMemoryInBytes: Int
    /// After this time without a request a connection is closed.
    public var idleTimeout: Duration
    /// The longest time that requests in progress may take when the server is told to stop.
    public var shutdownTimeout: Duration
    /// How devices that listen for changes are served.
    public var events: EventSettings

    /// - Parameter cores: the processor's cores, by which the number of threads is chosen.
    public init(
        host: String = "127.0.0.1",
        hostNames: [String] = [],
        port: Int = 8080,
        tls: TLS? = nil,
        takesBasic: Bool = false,
        cores: Int,
        bodyTimeout: Duration = .seconds(120),
        answerTimeout: Duration = .seconds(120),
        answerMemoryInBytes: Int = 64 << 20,
        idleTimeout: Duration = .seconds(75),
        shutdownTimeout: Duration = .seconds(20),
        events: EventSettings = EventSettings()
    ) {
        self.host = host
        self.hostNames = hostNames
        self.port = port
        self.tls = tls
        self.takesBasic = takesBasic
        threads = max(16, cores * 4)
        passwordThreads = max(1, min(4, cores / 2))
        self.bodyTimeout = bodyTimeout
        self.answerTimeout = answerTimeout
        self.answerMemoryInBytes = answerMemoryInBytes
        self.idleTimeout = idleTimeout
        self.shutdownTimeout = shutdownTimeout
        self.events = events
    }

    /// Whether only this machine can connect.
    public var isLoopback: Bool { Loopback.contains(host) }
}
