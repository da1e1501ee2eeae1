// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One block of a stream of events, `text/event-stream`.
///
///     id: 3q2-7w…
///     event: change
///     data: {"id":"3q2-7w…","sets":["Orders"]}
///
/// Source: HTML Living Standard, section 9.2, "Server-sent events".
public struct StreamEvent: Hashable, Sendable {
    /// The media type of a stream.
    public static let mediaType = "text/event-stream"
    /// What an event is called that tells of changes.
    public static let change = "change"
    /// What the first event is called where there is nothing new: the stream stands.
    public static let ready = "ready"
    /// A comment: the connection is alive.
    public static let keepAlive: [UInt8] = Array(":\n\n".utf8)

    /// What kind of event it is; empty for one that says nothing but its identifier.
    public var name: String
    public var id: String?
    public var data: String

    public init(name: String = "", id: String? = nil, data: String = "") {
        self.name = name
        self.id = id
        self.data = data
    }

    /// The event of a notice.
    public init(_ notice: ChangeNotice) {
        self.init(
            name: notice.sets.isEmpty ? Self.ready : Self.change,
            id: notice.id,
            data: String(decoding: notice.json, as: UTF8.self)
        )
    }

    /// The event as it is sent; no field of ours has a line break.
    public var bytes: [UInt8] {
        var text = ""
        if let id { text += "id: \(id)\n" }
        if !name.isEmpty { text += "event: \(name)\n" }
        if !data.isEmpty { text += "data: \(data)\n" }
        return Array((text + "\n").utf8)
    }

    /// How long a browser waits before it comes again, as the first line of a stream.
    public static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
