// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How many items the JSON text of a collection has.
public enum JSONArrayCount {
    /// The number of items of an array, or `nil` for text that is none.
    public static func of(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        do throws(ODataError) {
            return try JSONReader.read(bytes[...]) { reader throws(ODataError) in
                var count = 0
                var isFirst = true
                try reader.beginArray()
                while try reader.nextElement(&isFirst) {
                    try reader.skipValue()
                    count += 1
                }
                return count
            }
        } catch {
            return nil
        }
    }
}
