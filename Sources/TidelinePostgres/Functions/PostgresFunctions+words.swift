// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension PostgresFunctions {
    /// The words of a text as ``TidelineModel/SearchWords`` has them, and what full-text indexes are over.
    ///
    /// PostgreSQL's own parsers and dictionaries go by the locale and by a configuration that anybody may change.
    /// `lexemes` runs whenever somebody writes a row of an indexed table: with the rights of who published, because the
    /// writer need not have any in our schema; and it takes no more of a text than a `tsvector` certainly holds, because
    /// an error would refuse the row.
    static let words = [
        sql(
            "words(a text)",
            "text",
            "CASE WHEN octet_length(a) = length(a)"
                + " THEN ' ' || btrim(regexp_replace(lower(a COLLATE \"C\"), '[^0-9a-z]+', ' ', 'g')) || ' '"
                + " ELSE ' ' || btrim(regexp_replace(translate(tideline.lower(a), \(quoted(folded.from)),"
                + " \(quoted(folded.to))), '[^0-9a-z\(wordLetters)]+', ' ', 'g')) || ' ' END"
        ),
        sql(
            "found(words text, a text)",
            "boolean",
            "strpos(tideline.words(a) COLLATE \"C\", ' ' || words || ' ') > 0"
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.lexemes(a text) RETURNS tsvector LANGUAGE plpgsql
        IMMUTABLE STRICT PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
          RETURN array_to_tsvector(ARRAY(SELECT DISTINCT left(w, 500)
            FROM unnest(string_to_array(btrim(tideline.words(left(a, 250000))), ' ')) AS w WHERE w <> ''));
        END $$;
        """,
    ].joined(separator: "\n")

    /// What letters become; the marks, at the end of `from`, become nothing.
    ///
    /// `translate` looks through all of `from` for what it does not find there. What most texts are made of comes first,
    /// and stays as it is: a long text takes a fraction of the time.
    private static let folded: (from: String, to: String) = {
        let frequent = " etaoinsrhldcumfpgwybvkxjqz0123456789,.-"
        var from = frequent.unicodeScalars
        var to = frequent.unicodeScalars
        for (letter, plain) in SearchWords.folds.sorted(by: { $0.key < $1.key }) {
            from.append(letter)
            to.append(plain)
        }
        for scalar in lowScalars where SearchWords.isMark(scalar) { from.append(scalar) }
        return (String(from), String(to))
    }()

    /// The letters and digits beyond ASCII, as ranges of a regular expression.
    private static let wordLetters: String = {
        var ranges: [ClosedRange<UInt32>] = []
        for scalar in scalars where !scalar.isASCII && SearchWords.isPart(scalar) {
            if let last = ranges.last, last.upperBound + 1 == scalar.value {
                ranges[ranges.count - 1] = last.lowerBound...scalar.value
            } else {
                ranges.append(scalar.value...scalar.value)
            }
        }
        func escaped(_ value: UInt32) -> String {
            let digits = String(value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        return ranges.map { "\(escaped($0.lowerBound))-\(escaped($0.upperBound))" }.joined()
    }()
}
