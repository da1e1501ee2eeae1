// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `Bench [T1|T2|…]… [--sizes 10000,100000,1000000]`: each measurement beside its limit or peer, in one run.
///
/// Each runs in a process of its own, so that the memory it took is its own.
@main
enum Bench {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("Bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ given: [String]) async throws {
        var arguments = given
        if arguments.first == "measure" {
            try await measure(arguments[1], rows: Int(arguments[2]) ?? 0)
            return
        }
        var sizes = [10_000, 100_000, 1_000_000]
        if let place = arguments.firstIndex(of: "--sizes"), place + 1 < arguments.count {
            sizes = arguments[place + 1].split(separator: ",").compactMap { Int($0) }
            arguments.removeSubrange(place...place + 1)
        }
        let chosen = arguments.isEmpty ? Benchmark.all.map(\.name) : arguments
        for benchmark in Benchmark.all where chosen.contains(benchmark.name) {
            try report(benchmark, sizes: sizes)
        }
    }

    /// Measures one benchmark at one size, and prints its figures for the process that asked.
    private static func measure(_ name: String, rows: Int) async throws {
        guard let benchmark = Benchmark.all.first(where: { $0.name == name }) else { return }
        let folder = FileManager.default.temporaryDirectory.appending(path: "tideline-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let figures = try await benchmark.measure(rows, folder)
        let encoder = JSONEncoder()
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private static func report(_ benchmark: Benchmark, sizes: [Int]) throws {
        print("\n\(benchmark.name)  \(benchmark.title)")
        var before: [String: (rows: Int, seconds: Double)] = [:]
        for rows in sizes {
            for figure in try child(benchmark.name, rows) {
                var line = "  \(pad(rows, 9)) rows  \(figure.what): "
                line += "\(value(figure, figure.seconds)), \(figure.limitName) \(value(figure, figure.limitSeconds))"
                line += "; ratio \(text(figure.ratio)) (target \(figure.target), \(figure.isMet ? "met" : "MISSED"))"
                if let megabytes = figure.peakMegabytes { line += "; peak memory \(text(megabytes)) MB" }
                if let last = before[figure.what], figure.unit != nil || last.seconds > 0.01, figure.rows > last.rows {
                    let exponent = log(figure.seconds / last.seconds) / log(Double(figure.rows) / Double(last.rows))
                    line += "; growth \(text(exponent))"
                }
                before[figure.what] = (figure.rows, figure.seconds)
                print(line)
                // What is measured is seen even when a later measurement fails.
                fflush(nil)
            }
        }
    }

    /// Runs one measurement in a process of its own.
    private static func child(_ name: String, _ rows: Int) throws -> [Figure] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).absoluteURL
        process.arguments = ["measure", name, "\(rows)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(benchmark: name, rows: rows, status: process.terminationStatus)
        }
        return try JSONDecoder().decode([Figure].self, from: data)
    }

    /// The process of a measurement ended with an error, which it printed itself.
    private struct Failed: Error {
        let benchmark: String
        let rows: Int
        let status: Int32
    }

    private static func value(_ figure: Figure, _ amount: Double) -> String {
        figure.unit.map { "\(text(amount)) \($0)" } ?? rate(figure.rows, amount)
    }

    private static func rate(_ rows: Int, _ seconds: Double) -> String {
        let rate = Double(rows) / seconds
        return rate >= 10_000 ? "\(Int(rate / 1000)) k/s" : "\(Int(rate))/s"
    }

    private static func text(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let text = "\(number)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
