// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Moments as text of fixed width `YYYY-MM-DDTHH:MM:SS.fffffffffZ`, times and durations as nanoseconds.
    static let clock = [
        sql(
            "moment(a timestamptz)",
            "text",
            "CASE WHEN a >= '0001-01-01Z' AND a < '10000-01-01Z'"
                + " THEN to_char(a AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US') || '000Z'"
                + " WHEN a >= '0001-01-01Z BC' AND a < '0001-01-01Z'"
                + " THEN '0000' || to_char(a AT TIME ZONE 'UTC', '-MM-DD\"T\"HH24:MI:SS.US') || '000Z' END",
            isStable: true
        ),
        sql(
            "moment_day(a text)",
            "integer",
            "CASE WHEN a LIKE '0000%' THEN ('0001' || substr(a, 5, 6) || ' BC')::date ELSE substr(a, 1, 10)::date END"
                + " - '1970-01-01'::date",
            isStable: true
        ),
        sql(
            "moment_nanoseconds(a text)",
            "numeric",
            "tideline.moment_day(a)::numeric * 86400000000000 + tideline.time(substr(a, 12, 18))",
            isStable: true
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.nanoseconds_moment(a numeric) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL SAFE AS $$
        DECLARE
            days numeric := floor(a / 86400000000000);
            rest bigint;
            seconds bigint;
            day date;
        BEGIN
            IF a IS NULL OR days NOT BETWEEN -719528 AND 2932896 THEN RETURN NULL; END IF;
            rest := a - days * 86400000000000;
            seconds := rest / 1000000000;
            day := '1970-01-01'::date + days::int;
            RETURN CASE WHEN day < '0001-01-01' THEN '0000' || to_char(day, '-MM-DD') ELSE to_char(day, 'YYYY-MM-DD') END
                || 'T' || lpad((seconds / 3600)::text, 2, '0') || ':' || lpad((seconds / 60 % 60)::text, 2, '0')
                || ':' || lpad((seconds % 60)::text, 2, '0') || '.' || lpad((rest % 1000000000)::text, 9, '0') || 'Z';
        END $$;
        """,
        sql(
            "moment_add(a text, step bigint)",
            "text",
            "tideline.nanoseconds_moment(tideline.moment_nanoseconds(a) + step)",
            isStable: true
        ),
        sql(
            "as_bigint(a numeric)",
            "bigint",
            "CASE WHEN a BETWEEN -9223372036854775808 AND 9223372036854775807 THEN a::bigint END"
        ),
        sql(
            "duration_multiply(a bigint, factor numeric)",
            "bigint",
            "tideline.as_bigint(round(tideline.decimal_fit(a * factor)))"
        ),
        sql(
            "duration_divide(a bigint, factor numeric)",
            "bigint",
            "tideline.as_bigint(round(tideline.decimal_divide(a, factor)))"
        ),
        sql(
            "moment_subtract(a text, b text)",
            "bigint",
            "tideline.as_bigint(tideline.moment_nanoseconds(a) - tideline.moment_nanoseconds(b))",
            isStable: true
        ),
        sql(
            "time(a text)",
            "bigint",
            "(substr(a, 1, 2)::bigint * 3600 + substr(a, 4, 2)::bigint * 60"
                + " + coalesce(nullif(substr(a, 7, 2), ''), '0')::bigint) * 1000000000"
                + " + rpad(substr(a, 10, 9), 9, '0')::bigint"
        ),
        sql("time_nanoseconds(a time)", "bigint", "(extract(epoch FROM a)::numeric * 1000000000)::bigint"),
        sql(
            "interval_nanoseconds(a interval)",
            "bigint",
            "CASE WHEN extract(year FROM a) = 0 AND extract(month FROM a) = 0"
                + " THEN tideline.as_bigint(extract(epoch FROM a)::numeric * 1000000000) END"
        ),
        sql(
            "duration(a text)",
            "bigint",
            "CASE WHEN a LIKE '-%' THEN -tideline.interval_nanoseconds(substr(a, 2)::interval)"
                + " ELSE tideline.interval_nanoseconds(a::interval) END",
            isStable: true
        ),
    ].joined(separator: "\n")
}
