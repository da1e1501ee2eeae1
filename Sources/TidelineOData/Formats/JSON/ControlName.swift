// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The name of a member: control information with or without `odata.`, an annotation of a property, or a plain name.
///
///     @odata.etag  @etag          Lines@odata.count  Lines@count        OrderId
///     control("etag")             annotation("Lines", "count")          plain("OrderId")
///
/// Source: OData JSON Format 4.01, section 4.6.
enum ControlName: Hashable {
    case control(String)
    case annotation(String, String)
    case plain(String)

    init(_ name: String) {
        guard let sign = name.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            self = .plain(name)
            return
        }
        var term = name[name.utf8.index(after: sign)...]
        if term.hasPrefix("odata.") { term = term.dropFirst(6) }
        self = sign == name.startIndex ? .control(String(term)) : .annotation(String(name[..<sign]), String(term))
    }
}
