// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads a stream of events as it comes, in pieces of any size.
///
/// Blocks without data give no event, as the standard says, but their `id` counts: ``lastID``. What a block holds so far
/// is bounded; a stream that goes beyond it is no stream of ours.
/// Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
public struct StreamEventReader: Sendable {
    /// The most bytes of one block.
    public static let limitInBytes = 1 << 20

    /// The identifier of the last block that had one.
    public private(set) var lastID: String?

    private var line: [UInt8] = []
    private var event = StreamEvent()
    private var data: [String] = []
    private var pendingID: String?
    private var blockSize = 0
    private var isFirstLine = true
    /// Whether the byte before was CR: an LF after it ends no other line.
    private var isAfterReturn = false

    public init() {}

    /// The events that a piece completes.
    ///
    /// - Throws: `TooComplex` for a block that is larger than ``limitInBytes``.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(ODataError) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if let event = endLine() { events.append(event) }
            default:
                blockSize += 1
                guard blockSize <= Self.limitInBytes else {
                    throw ODataError(.tooComplex, "An event of the stream does not end.")
                }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> StreamEvent? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isFirstLine, text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        isFirstLine = false
        guard !text.isEmpty else { return endBlock() }
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        var value = text[colon...].dropFirst()
        if value.first == " " { value = value.dropFirst() }
        switch text[..<colon] {
        case "event": event.name = String(value)
        case "data": data.append(String(value))
        case "id" where !value.contains("\0"): pendingID = String(value)
        default: break
        }
        return nil
    }

    private mutating func endBlock() -> StreamEvent? {
        defer {
            event = StreamEvent()
            data = []
            blockSize = 0
        }
        if let pendingID { lastID = pendingID }
        guard !data.isEmpty else { return nil }
        event.id = lastID
        event.data = data.joined(separator: "\n")
        return event
    }
}
