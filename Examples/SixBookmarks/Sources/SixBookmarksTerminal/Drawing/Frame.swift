// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A screen to be drawn: a head, lines, and the keys at its foot.
public struct Frame: Hashable, Sendable {
    /// How a line looks where there are colours; without them, its text says the same.
    public enum Style: Hashable, Sendable {
        case plain, bold, dim, good, bad, selected
    }

    /// A line of the screen.
    public struct Line: Hashable, Sendable {
        public var text: String
        public var style: Style
        /// Whether it is to be read to its end: it goes on in further rows where it is too long for one.
        public var isText: Bool

        public init(_ text: String = "", _ style: Style = .plain, isText: Bool = false) {
            self.text = text
            self.style = style
            self.isText = isText
        }
    }

    /// What stands at the top left, and at the top right.
    public var title: String
    public var corner: String
    public var lines: [Line] = []
    /// The keys that do something, as `c configure`.
    public var keys: [String]
    /// The line that is to be seen where not all fit.
    public var focus: Int?
    /// Where the terminal's cursor stands: a line, and columns from the left.
    public var cursor: (line: Int, column: Int)?
    /// The columns of the cursor's line that stay where they are when the rest of it moves, to show what is typed.
    public var margin = 0

    public init(_ title: String, corner: String = "", keys: [String]) {
        self.title = title
        self.corner = corner
        self.keys = keys
    }

    /// Adds rows of a table, line for line; what does not fit is cut off.
    public mutating func add(_ text: String, _ style: Style = .plain) {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { Line(String($0), style) }
    }

    /// Adds a text to be read, line for line; each goes on in further rows where it is too long.
    public mutating func add(text: String, _ style: Style = .plain) {
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
            Line(String($0), style, isText: true)
        }
    }

    public static func == (left: Frame, right: Frame) -> Bool {
        left.title == right.title && left.corner == right.corner && left.lines == right.lines && left.keys == right.keys
            && left.focus == right.focus && left.cursor?.line == right.cursor?.line
            && left.cursor?.column == right.cursor?.column && left.margin == right.margin
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(lines)
    }
}
