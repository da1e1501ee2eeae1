// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Casts between primitive types, by the canonical text of computed values.
    ///
    /// What is no text of the type is null: each type is tested by its form first, so that no cast of PostgreSQL fails.
    static let values = [
        // The number of a text in the form of Edm.Decimal, with 38 digits at most.
        sql(
            "number_text(a text)",
            "numeric",
            "CASE WHEN a ~ '^[-+]?[0-9]{1,60}(\\.[0-9]{1,60})?$' THEN tideline.decimal_cut(a::numeric)"
                + " WHEN a ~ '^[-+]?[0-9]{1,60}(\\.[0-9]{1,60})?[eE][-+]?[0-9]{1,2}$'"
                + " THEN tideline.decimal_cut(a::numeric) END"
        ),
        sql(
            "real_text(a text)",
            "float8",
            "CASE WHEN a = 'NaN' THEN NULL WHEN a = 'INF' THEN float8 'Infinity' WHEN a = '-INF' THEN float8 '-Infinity'"
                + " WHEN a ~ '^[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]{1,4})?$' THEN tideline.real_parse(a) END"
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.real_parse(a text) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        BEGIN
            RETURN a::float8;
        EXCEPTION WHEN numeric_value_out_of_range THEN
            IF a ~ '[eE]-' THEN RETURN 0; END IF;
            RETURN CASE WHEN a LIKE '-%' THEN float8 '-Infinity' ELSE float8 'Infinity' END;
        END $$;
        """,
        // An integer of a type from a number: half away from zero, null out of its range.
        sql(
            "integer_of(a numeric, type text)",
            "bigint",
            "CASE WHEN round(a) BETWEEN tideline.least_of(type) AND tideline.greatest_of(type)"
                + " THEN round(a)::bigint END"
        ),
        sql(
            "least_of(type text)",
            "numeric",
            "CASE type WHEN 'Edm.Byte' THEN 0 WHEN 'Edm.SByte' THEN -128 WHEN 'Edm.Int16' THEN -32768"
                + " WHEN 'Edm.Int32' THEN -2147483648 WHEN 'Edm.Int64' THEN -9223372036854775808 END"
        ),
        sql(
            "greatest_of(type text)",
            "numeric",
            "CASE type WHEN 'Edm.Byte' THEN 255 WHEN 'Edm.SByte' THEN 127 WHEN 'Edm.Int16' THEN 32767"
                + " WHEN 'Edm.Int32' THEN 2147483647 WHEN 'Edm.Int64' THEN 9223372036854775807 END"
        ),
        valueOfText,
        textOfValue,
        castValue,
    ].joined(separator: "\n")

    /// The computed form, as text, of a value's canonical text; null where it is none of the type.
    private static let valueOfText = """
        CREATE OR REPLACE FUNCTION tideline.value_of_text(a text, type text) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL RESTRICTED AS $$
        DECLARE
            part text[];
            day text;
        BEGIN
            IF a IS NULL OR type = 'Edm.String' THEN RETURN a; END IF;
            CASE type
            WHEN 'Edm.Boolean' THEN
                RETURN CASE WHEN lower(a COLLATE "C") IN ('true', 'false') THEN lower(a COLLATE "C") END;
            WHEN 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64' THEN
                RETURN CASE WHEN a ~ '^[-+]?[0-9]{1,40}$' THEN tideline.integer_of(a::numeric, type)::text END;
            WHEN 'Edm.Decimal' THEN RETURN tideline.number_text(a)::text;
            WHEN 'Edm.Double' THEN RETURN tideline.real_text(a)::text;
            WHEN 'Edm.Single' THEN RETURN tideline.single_of(tideline.real_text(a))::text;
            WHEN 'Edm.Guid' THEN
                RETURN CASE WHEN a ~ '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$' THEN lower(a COLLATE "C") END;
            WHEN 'Edm.Binary' THEN
                IF a !~ '^[A-Za-z0-9_+/-]*={0,2}$' THEN RETURN NULL; END IF;
                a := rtrim(translate(a, '-_', '+/'), '=');
                IF length(a) % 4 = 1 THEN RETURN NULL; END IF;
                RETURN decode(a || repeat('=', (4 - length(a) % 4) % 4), 'base64')::text;
            WHEN 'Edm.Date' THEN RETURN tideline.day_text(a);
            WHEN 'Edm.TimeOfDay' THEN
                part := regexp_match(a, '^([01][0-9]|2[0-3]):([0-5][0-9])(:([0-5][0-9])(\\.([0-9]{1,9}))?)?$');
                IF part IS NULL THEN RETURN NULL; END IF;
                RETURN (part[1]::bigint * 3600 + part[2]::bigint * 60 + coalesce(part[4], '0')::bigint) * 1000000000
                    + rpad(coalesce(part[6], ''), 9, '0')::bigint;
            WHEN 'Edm.DateTimeOffset' THEN
                part := regexp_match(a, '^(-?[0-9]{4,}-[0-9]{2}-[0-9]{2})[Tt]([01][0-9]|2[0-3]):([0-5][0-9])'
                    || '(:([0-5][0-9])(\\.([0-9]{1,9}))?)?([Zz]|([-+])(0[0-9]|1[0-4]):([0-5][0-9]))$');
                IF part IS NULL THEN RETURN NULL; END IF;
                day := tideline.day_text(part[1]);
                IF day IS NULL THEN RETURN NULL; END IF;
                RETURN tideline.moment_add(
                    day || 'T' || part[2] || ':' || part[3] || ':' || coalesce(part[5], '00') || '.'
                        || rpad(coalesce(part[7], ''), 9, '0') || 'Z',
                    CASE part[9] WHEN '+' THEN -1 WHEN '-' THEN 1 ELSE 0 END
                        * (coalesce(part[10], '0')::bigint * 60 + coalesce(part[11], '0')::bigint) * 60000000000);
            WHEN 'Edm.Duration' THEN
                part := regexp_match(a, '^([-+])?P(([0-9]{1,14})D)?'
                    || '(T(([0-9]{1,14})H)?(([0-9]{1,14})M)?(([0-9]{1,14})(\\.([0-9]{1,9}))?S)?)?$');
                IF part IS NULL OR a ~ '[PT]$' THEN RETURN NULL; END IF;
                RETURN tideline.as_bigint(CASE part[1] WHEN '-' THEN -1 ELSE 1 END
                    * ((coalesce(part[3], '0')::numeric * 86400 + coalesce(part[6], '0')::numeric * 3600
                        + coalesce(part[8], '0')::numeric * 60 + coalesce(part[10], '0')::numeric) * 1000000000
                    + rpad(coalesce(part[12], ''), 9, '0')::numeric));
            ELSE RETURN NULL;
            END CASE;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.day_text(a text) RETURNS text LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            part text[] := regexp_match(a, '^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$');
            year int := part[1]::int;
            month int := part[2]::int;
            most int := CASE WHEN month IN (4, 6, 9, 11) THEN 30 WHEN month <> 2 THEN 31
                WHEN year % 4 = 0 AND (year % 100 <> 0 OR year % 400 = 0) THEN 29 ELSE 28 END;
        BEGIN
            RETURN CASE WHEN part[3]::int <= most THEN a END;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.single_of(a float8) RETURNS float8 LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
            SELECT CASE WHEN abs(a) >= 3.4028235677973366e38 AND abs(a) < 'Infinity' THEN NULL
                WHEN abs(a) < 1.1754943508222875e-38 AND a <> 0 THEN tideline.single_small(a)
                ELSE a::float4::float8 END
        $$;
        CREATE OR REPLACE FUNCTION tideline.single_small(a float8) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        BEGIN
            RETURN a::float4::float8;
        EXCEPTION WHEN numeric_value_out_of_range THEN RETURN 0;
        END $$;
        """

    /// The canonical text of a computed value's text.
    private static let textOfValue = """
        CREATE OR REPLACE FUNCTION tideline.text_of_value(a text, type text) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL SAFE AS $$
        DECLARE
            n numeric;
            seconds numeric;
            r text;
        BEGIN
            CASE type
            WHEN 'Edm.Decimal' THEN RETURN trim_scale(a::numeric)::text;
            WHEN 'Edm.Double', 'Edm.Single' THEN RETURN tideline.real_digits(a::float8);
            WHEN 'Edm.Binary' THEN
                RETURN rtrim(translate(encode(a::bytea, 'base64'), '+/' || chr(10), '-_'), '=');
            WHEN 'Edm.DateTimeOffset' THEN
                RETURN substr(a, 1, 19) || CASE WHEN substr(a, 21, 9) = '000000000' THEN ''
                    ELSE '.' || rtrim(substr(a, 21, 9), '0') END || 'Z';
            WHEN 'Edm.TimeOfDay' THEN
                n := a::numeric;
                RETURN lpad(div(n, 3600000000000)::text, 2, '0') || ':'
                    || lpad((div(n, 60000000000) % 60)::text, 2, '0') || ':'
                    || lpad((div(n, 1000000000) % 60)::text, 2, '0')
                    || CASE WHEN n % 1000000000 = 0 THEN ''
                        ELSE '.' || rtrim(lpad((n % 1000000000)::text, 9, '0'), '0') END;
            WHEN 'Edm.Duration' THEN
                n := abs(a::numeric);
                seconds := div(n, 1000000000);
                r := CASE WHEN a LIKE '-%' THEN '-P' ELSE 'P' END;
                IF seconds >= 86400 THEN r := r || div(seconds, 86400) || 'D'; END IF;
                IF n % 86400000000000 = 0 AND n > 0 THEN RETURN r; END IF;
                r := r || 'T';
                IF div(seconds, 3600) % 24 > 0 THEN r := r || div(seconds, 3600) % 24 || 'H'; END IF;
                IF div(seconds, 60) % 60 > 0 THEN r := r || div(seconds, 60) % 60 || 'M'; END IF;
                IF n % 60000000000 > 0 OR n = 0 THEN
                    r := r || seconds % 60 || CASE WHEN n % 1000000000 = 0 THEN ''
                        ELSE '.' || rtrim(lpad((n % 1000000000)::text, 9, '0'), '0') END || 'S';
                END IF;
                RETURN r;
            ELSE RETURN a;
            END CASE;
        END $$;
        -- The shortest digits, as Swift writes them: 2.0, 1e+300, 0.0001.
        CREATE OR REPLACE FUNCTION tideline.real_digits(a float8) RETURNS text LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
            SELECT CASE WHEN a = 'NaN' THEN 'NaN' WHEN a = 'Infinity' THEN 'INF' WHEN a = '-Infinity' THEN '-INF'
                ELSE a::text END
        $$;
        """

    /// `cast(value, type)`: computed values as text in and out.
    private static let castValue = """
        CREATE OR REPLACE FUNCTION tideline.cast_value(a text, source text, target text) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL RESTRICTED AS $$
        DECLARE
            whole CONSTANT text[] := ARRAY['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'];
            n numeric;
            r float8;
        BEGIN
            IF a IS NULL THEN RETURN NULL; END IF;
            IF target = 'Edm.String' THEN RETURN tideline.text_of_value(a, source); END IF;
            IF source = 'Edm.String' THEN RETURN tideline.value_of_text(a, target); END IF;
            IF source = ANY (whole) OR source = 'Edm.Decimal' THEN
                n := a::numeric;
                IF target = ANY (whole) THEN RETURN tideline.integer_of(n, target); END IF;
                RETURN CASE target WHEN 'Edm.Decimal' THEN n::text WHEN 'Edm.Double' THEN (n::float8)::text
                    WHEN 'Edm.Single' THEN tideline.single_of(n::float8)::text END;
            END IF;
            IF source IN ('Edm.Double', 'Edm.Single') THEN
                r := a::float8;
                IF target = 'Edm.Double' THEN RETURN r::text; END IF;
                IF target = 'Edm.Single' THEN RETURN tideline.single_of(r)::text; END IF;
                IF r IN ('NaN', 'Infinity', '-Infinity') THEN RETURN NULL; END IF;
                IF target = 'Edm.Decimal' THEN RETURN tideline.number_text(r::text)::text; END IF;
                IF target = ANY (whole) THEN
                    RETURN tideline.integer_of(tideline.real_exact(tideline.round(r)), target);
                END IF;
                RETURN NULL;
            END IF;
            IF source = 'Edm.DateTimeOffset' THEN
                RETURN CASE target WHEN 'Edm.DateTimeOffset' THEN a WHEN 'Edm.Date' THEN substr(a, 1, 10)
                    WHEN 'Edm.TimeOfDay' THEN tideline.time(substr(a, 12, 18))::text END;
            END IF;
            IF source = 'Edm.Date' AND target = 'Edm.DateTimeOffset' THEN RETURN a || 'T00:00:00.000000000Z'; END IF;
            IF source = target OR source LIKE 'Edm.Geo%' AND target LIKE 'Edm.Geo%' THEN RETURN a; END IF;
            RETURN NULL;
        END $$;
        """
}
