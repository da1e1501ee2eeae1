// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Listens to a service, so that a device knows when to sync.
///
///     for await signal in ServiceEvents(client: client).signals where signal.hasNews { … sync … }
///
/// Connects by itself and again after each failure, with waits that grow and differ from device to device; goes over to
/// long polling where a stream brings nothing. Whoever is told nothing still has to sync from time to time.
public struct ServiceEvents: Sendable {
    /// What listening takes from outside.
    public struct Options: Sendable {
        /// How long the first event of a stream may take before something between holds streams back.
        public var patience: Duration
        /// How long a poll asks the service to wait.
        public var pollTime: Duration
        /// Waits; throws `CancellationError` when the task is cancelled.
        public var sleep: @Sendable (Duration) async throws -> Void
        /// A random number from 0 to 1.
        public var random: @Sendable () -> Double

        /// The options, each with its usual value.
        public init(
            patience: Duration = .seconds(15),
            pollTime: Duration = .seconds(45),
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
        ) {
            self.patience = patience
            self.pollTime = pollTime
            self.sleep = sleep
            self.random = random
        }
    }

    private let client: ODataClient
    private let options: Options

    public init(client: ODataClient, options: Options = Options()) {
        self.client = client
        self.options = options
    }

    /// The signals from now on: a connection of its own for each who asks, open while somebody iterates.
    ///
    /// The first comes when the service is connected, or cannot be reached. Signals that nobody takes are merged into
    /// one. Ends only where listening makes no sense: a service without events, an address that is none, nobody who
    /// signs in.
    public var signals: AsyncStream<ServiceSignal> {
        let listening = Listening(EventsRun(client: client, options: options, mailbox: SignalMailbox()))
        return AsyncStream {
            await listening.next()
        } onCancel: {
            listening.cancel()
        }
    }
}

/// The connection behind one sequence of signals; it ends when nobody has the sequence any more.
private final class Listening: Sendable {
    private let mailbox: SignalMailbox
    private let task: Task<Void, Never>

    init(_ run: EventsRun) {
        mailbox = run.mailbox
        // Unstructured: it lives as long as the sequence.
        task = Task { await run.run() }
    }

    deinit { task.cancel() }

    func next() async -> ServiceSignal? { await mailbox.next() }

    func cancel() { task.cancel() }
}
