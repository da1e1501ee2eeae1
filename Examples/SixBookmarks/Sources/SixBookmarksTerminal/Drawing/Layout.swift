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

    /// Lays a frame out; texts are wrapped, what else does not fit is cut off, and its focus stays in sight.
    public init(_ frame: Frame, _ size: ScreenSize) {
        let columns = max(1, size.columns)
        let foot = Self.wrapped(frame.keys, columns)
        let head = [Self.head(frame, columns), Frame.Line()]
        let room = max(1, size.rows - head.count - foot.count - 1)
        let (body, ends, column) = Self.body(frame, columns)
        // The body moves up where the focus would not be seen.
        let line = frame.cursor?.line ?? frame.focus ?? 0
        let focus = ends.indices.contains(line) ? ends[line] : 0
        let first = max(0, min(focus - room + 1, body.count - 1))
        var rows = head + body.dropFirst(first).prefix(room)
        rows += Array(repeating: Frame.Line(), count: max(0, size.rows - foot.count - rows.count))
        rows += foot.map { Frame.Line($0, .dim) }
        self.rows = rows.prefix(max(1, size.rows)).map { line in
            Frame.Line(TerminalText.clipped(TerminalText.safe(line.text), to: columns), line.style)
        }
        cursor = frame.cursor.map { _ in (head.count + focus - first, min(column, columns - 1)) }
    }

    /// The line that is typed in, moved to the left where the cursor would stand beyond the edge.
    ///
    ///     Address  https://www.example.org/a/long/pa|th
    ///     Address  …ple.org/a/long/pa|th
    ///
    /// - Parameter margin: the columns that stay.
    /// - Returns: the line, and the column of the cursor in it.
    private static func scrolled(_ text: String, _ margin: Int, to column: Int, _ columns: Int) -> (String, Int) {
        let text = TerminalText.safe(text)
        // One cell for each mark of what is cut off, one for the cursor, and one to read.
        guard column >= columns - 1, columns - margin >= 4 else { return (text, column) }
        var rest = text[...]
        var fixed = ""
        while TerminalText.width(fixed) < margin, let character = rest.popFirst() { fixed.append(character) }
        let last = columns - 2
        var place = column + 1
        while place > last, let character = rest.popFirst() { place -= TerminalText.width(String(character)) }
        return (fixed + "…" + rest, place)
    }

    /// The lines between head and foot as rows.
    ///
    /// - Returns: the rows, of each line its last row, and the column of the cursor.
    private static func body(_ frame: Frame, _ columns: Int) -> (rows: [Frame.Line], ends: [Int], column: Int) {
        var rows: [Frame.Line] = []
        var ends: [Int] = []
        var column = 0
        for (index, line) in frame.lines.enumerated() {
            if let cursor = frame.cursor, cursor.line == index {
                let (text, place) = scrolled(line.text, frame.margin, to: cursor.column, columns)
                rows.append(Frame.Line(text, line.style))
                column = place
            } else if line.isText {
                let texts = TerminalText.wrapped(TerminalText.safe(line.text), to: columns)
                rows += texts.map { Frame.Line($0, line.style) }
            } else {
                rows.append(line)
            }
            ends.append(rows.count - 1)
        }
        return (rows, ends, column)
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
