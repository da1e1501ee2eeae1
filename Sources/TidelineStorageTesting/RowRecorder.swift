// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Keeps what is pushed as text: one line a row, values joined with `|`, expansions in brackets.
///
///     1|Ann|null|[{7|x}{8|y}]2
///
/// Strings stand as they are, binary as `x` and hexadecimal digits; a count follows the bracket of its expansion, and
/// `>9,x` inside it says where its next page goes on. What is no value of its column's type stands behind an exclamation
/// mark.
public final class RowRecorder: RowSink {
    /// The rows so far.
    public private(set) var lines: [String] = []
    /// Their ETags, those of related entities not among them.
    public private(set) var etags: [ETag?] = []
    private var stack: [[String]] = []

    public init() {}

    private func add(_ text: String) { stack[stack.count - 1].append(text) }
    public func beginRow() { stack.append([]) }
    public func null() { add("null") }
    public func boolean(_ value: Bool) { add("\(value)") }
    public func integer(_ value: Int64) { add("\(value)") }
    public func double(_ value: Double) { add(Value.double(value).text ?? "null") }
    public func text(_ utf8: UnsafeRawBufferPointer) { unsafe add(String(decoding: utf8, as: UTF8.self)) }
    public func binary(_ bytes: UnsafeRawBufferPointer) {
        unsafe add("x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }
    public func exception(_ held: String?) { add("!" + (held ?? "")) }
    public func beginExpansion(_ index: Int) { add("[") }

    public func moreFollow(after place: [Value]) {
        add(">" + place.map { $0.text ?? "null" }.joined(separator: ","))
    }

    public func endExpansion(_ index: Int, count: Int?) {
        let top = stack.count - 1
        guard let start = stack[top].lastIndex(of: "[") else { return }
        let rows = stack[top][(start + 1)...].joined()
        stack[top].removeSubrange(start...)
        stack[top].append("[\(rows)]" + (count.map(String.init) ?? ""))
    }

    public func endRow(etag: ETag?) {
        let line = stack.removeLast().joined(separator: "|")
        if stack.isEmpty {
            lines.append(line)
            etags.append(etag)
        } else {
            add("{\(line)}")
        }
    }
}
