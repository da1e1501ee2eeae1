// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How large a screen is.
public struct ScreenSize: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// Lays a frame out for a size: what stands in each row.
public struct Layout {
    /// The rows from the top, as many as the screen has.
    public let rows: [Frame.Line]
    /// The place of the cursor, counted from 0.
    public let cursor: (row: Int, column: Int)?

    /// Lays a frame out; what does not fit is cut off, and its focus stays in sight.
    public init(_ frame: Frame, _ size: ScreenSize) {
        let columns = max(1, size.columns)
        let foot = Self.wrapped(frame.keys, columns)
        let head = [Self.head(frame, columns), Frame.Line()]
        let room = max(1, size.rows - head.count - foot.count - 1)
        // The body moves up where the focus would not be seen.
        let focus = frame.cursor?.line ?? frame.focus ?? 0
        let first = max(0, min(focus - room + 1, frame.lines.count - 1))
        var rows = head + frame.lines.dropFirst(first).prefix(room)
        rows += Array(repeating: Frame.Line(), count: max(0, size.rows - foot.count - rows.count))
        rows += foot.map { Frame.Line($0, .dim) }
        self.rows = rows.prefix(max(1, size.rows)).map { line in
            Frame.Line(TerminalText.clipped(TerminalText.safe(line.text), to: columns), line.style)
        }
        cursor = frame.cursor.map { (head.count + $0.line - first, min($0.column, columns - 1)) }
    }

    private static func head(_ frame: Frame, _ columns: Int) -> Frame.Line {
        let corner = TerminalText.safe(frame.corner)
        let room = columns - TerminalText.width(frame.title) - TerminalText.width(corner)
        guard room >= 2, !corner.isEmpty else { return Frame.Line(frame.title, .bold) }
        return Frame.Line(frame.title + String(repeating: " ", count: room) + corner, .bold)
    }

    /// The keys in as many rows as they need.
    private static func wrapped(_ keys: [String], _ columns: Int) -> [String] {
        var rows: [String] = []
        for key in keys {
            if let last = rows.last, TerminalText.width(last) + 3 + TerminalText.width(key) <= columns {
                rows[rows.count - 1] = last + "   " + key
            } else {
                rows.append(key)
            }
        }
        return rows
    }
}
