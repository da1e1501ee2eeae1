// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where frames are shown.
@MainActor
public protocol Surface: AnyObject {
    /// Shows a frame in the place of the one before.
    func show(_ frame: Frame)
}

/// What a terminal is sent to show a frame.
public struct ANSIText: Sendable {
    /// Whether colours are used; selection and errors show without them too.
    public let hasColours: Bool

    public init(hasColours: Bool) { self.hasColours = hasColours }

    /// The bytes that draw the whole screen.
    public func text(_ layout: Layout) -> String {
        var text = "\u{1B}[?25l\u{1B}[H"
        for (index, line) in layout.rows.enumerated() {
            if index > 0 { text += "\r\n" }
            let codes = hasColours ? Self.codes(line.style) : ""
            text += codes.isEmpty ? line.text : "\u{1B}[\(codes)m\(line.text)\u{1B}[0m"
            text += "\u{1B}[K"
        }
        if let cursor = layout.cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return text
    }

    private static func codes(_ style: Frame.Style) -> String {
        switch style {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .good: "32"
        case .bad: "31"
        case .selected: "7"
        }
    }
}
