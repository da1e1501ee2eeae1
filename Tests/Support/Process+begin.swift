// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Process {
    private static let births = NSLock()

    /// Starts the process, while no other thread starts one so.
    ///
    ///     let output = try process.begin {
    ///         let output = Pipe()
    ///         process.standardOutput = output
    ///         return output
    ///     }
    ///
    /// A child is born with what its parent has open, and Foundation closes in it only what it counted before: what another
    /// thread opens in between, for a child of its own, stays open in this one, as long as it lives. A server would keep
    /// another program's output from ever ending for who reads it.
    ///
    /// - Parameter connect: makes the pipes of the process and gives them to it.
    /// - Returns: what `connect` returns.
    /// - Throws: what `connect` or `run` throws.
    public func begin<Pipes>(_ connect: () throws -> Pipes) throws -> Pipes {
        try Self.births.withLock {
            let pipes = try connect()
            try run()
            return pipes
        }
    }

    /// Starts the process with a pipe for each of its standard streams, while no other thread starts one so.
    public func beginPiped() throws -> (input: Pipe, output: Pipe, errors: Pipe) {
        try begin {
            let (input, output, errors) = (Pipe(), Pipe(), Pipe())
            standardInput = input
            standardOutput = output
            standardError = errors
            return (input, output, errors)
        }
    }

    /// Starts the process with what it was given, while no other thread starts one so.
    public func begin() throws { try begin {} }
}
