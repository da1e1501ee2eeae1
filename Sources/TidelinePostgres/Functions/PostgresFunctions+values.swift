// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Casts, durations times numbers, and the members of enumerations.
    static let values = [
        sql(
            "duration_multiply(a bigint, b numeric)",
            "bigint",
            "tideline.as_bigint(round(tideline.decimal_multiply(a::numeric, b)))"
        ),
        sql(
            "duration_divide(a bigint, b numeric)",
            "bigint",
            "tideline.as_bigint(round(tideline.decimal_divide(a::numeric, b)))"
        ),
        sql(
            "real_text(a float8)",
            "text",
            "CASE WHEN a = 'Infinity' THEN 'INF' WHEN a = '-Infinity' THEN '-INF' WHEN a = 'NaN' THEN 'NaN'"
                + " WHEN abs(a) < 1e15 AND a = trunc(a) AND a::text <> '-0' THEN trunc(a::numeric)::text"
                + " WHEN a::text ~ '[.e]' THEN a::text ELSE a::text || '.0' END"
        ),
        sql(
            "clock_text(a bigint)",
            "text",
            "lpad((a / 3600000000000)::text, 2, '0') || ':' || lpad((a / 60000000000 % 60)::text, 2, '0')"
                + " || ':' || lpad((a / 1000000000 % 60)::text, 2, '0')"
                + " || CASE WHEN a % 1000000000 = 0 THEN ''"
                + " ELSE '.' || rtrim(lpad((a % 1000000000)::text, 9, '0'), '0') END"
        ),
        sql(
            "duration_text(a bigint)",
            "text",
            "CASE WHEN a = 0 THEN 'PT0S' ELSE CASE WHEN a < 0 THEN '-P' ELSE 'P' END || d || CASE WHEN t = '' THEN ''"
                + " ELSE 'T' || t END END FROM (SELECT CASE WHEN n >= 86400000000000"
                + " THEN trunc(n / 86400000000000)::text || 'D' ELSE '' END AS d,"
                + " CASE WHEN trunc(n / 3600000000000) % 24 = 0 THEN ''"
                + " ELSE (trunc(n / 3600000000000) % 24)::text || 'H' END"
                + " || CASE WHEN trunc(n / 60000000000) % 60 = 0 THEN ''"
                + " ELSE (trunc(n / 60000000000) % 60)::text || 'M' END"
                + " || CASE WHEN n % 60000000000 = 0 THEN ''"
                + " ELSE trim_scale((n % 60000000000) * 0.000000001)::text || 'S' END AS t"
                + " FROM (SELECT abs(a::numeric) AS n) AS n) AS parts"
        ),
        // The rules of the model's Casting; what has another form fails inside and is null.
        """
        CREATE OR REPLACE FUNCTION tideline.cast_value(v text, source text, target text) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL RESTRICTED AS $$
        DECLARE
            n numeric;
            isnumber CONSTANT text := '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$';
        BEGIN
            IF v IS NULL THEN RETURN NULL; END IF;
            IF target = 'Edm.String' THEN
                RETURN CASE source WHEN 'Edm.Decimal' THEN trim_scale(v::numeric)::text
                    WHEN 'Edm.Double' THEN tideline.real_text(v::float8)
                    WHEN 'Edm.Single' THEN tideline.real_text(v::float8)
                    WHEN 'Edm.DateTimeOffset' THEN rtrim(rtrim(rtrim(v, 'Z'), '0'), '.') || 'Z'
                    WHEN 'Edm.TimeOfDay' THEN tideline.clock_text(v::bigint)
                    WHEN 'Edm.Duration' THEN tideline.duration_text(v::bigint)
                    WHEN 'Edm.Binary' THEN translate(encode(v::bytea, 'base64'), E'+/=\\n', '-_')
                    ELSE v END;
            END IF;
            IF source = target THEN RETURN v; END IF;
            IF target IN ('Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64') THEN
                IF source = 'Edm.String' THEN
                    IF v !~ '^[+-]?[0-9]+$' THEN RETURN NULL; END IF;
                    n := v::numeric;
                ELSIF source IN ('Edm.Double', 'Edm.Single') THEN
                    IF v::float8 IN ('Infinity', '-Infinity', 'NaN') OR abs(v::float8) > 1e19 THEN RETURN NULL; END IF;
                    n := round(tideline.real_exact(v::float8));
                ELSIF source IN ('Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal') THEN
                    n := round(v::numeric);
                ELSE
                    RETURN NULL;
                END IF;
                RETURN CASE WHEN CASE target WHEN 'Edm.Byte' THEN n BETWEEN 0 AND 255
                    WHEN 'Edm.SByte' THEN n BETWEEN -128 AND 127 WHEN 'Edm.Int16' THEN n BETWEEN -32768 AND 32767
                    WHEN 'Edm.Int32' THEN n BETWEEN -2147483648 AND 2147483647
                    ELSE n BETWEEN -9223372036854775808 AND 9223372036854775807 END THEN n::text END;
            END IF;
            IF target IN ('Edm.Decimal', 'Edm.Double', 'Edm.Single') THEN
                IF source NOT IN ('Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal',
                    'Edm.Double', 'Edm.Single', 'Edm.String') THEN RETURN NULL; END IF;
                IF target <> 'Edm.Decimal' AND v IN ('INF', '-INF') THEN RETURN replace(v, 'INF', 'Infinity'); END IF;
                IF source IN ('Edm.Double', 'Edm.Single') AND v IN ('Infinity', '-Infinity') THEN
                    RETURN CASE WHEN target <> 'Edm.Decimal' THEN v END;
                END IF;
                IF v !~ isnumber THEN RETURN NULL; END IF;
                IF target = 'Edm.Decimal' THEN
                    n := v::numeric;
                    RETURN CASE WHEN tideline.decimal_fit(n) = n THEN trim_scale(n)::text END;
                END IF;
                RETURN CASE target WHEN 'Edm.Single' THEN v::real::float8 ELSE v::float8 END::text;
            END IF;
            IF source = 'Edm.DateTimeOffset' THEN
                RETURN CASE target WHEN 'Edm.Date' THEN substr(v, 1, 10)
                    WHEN 'Edm.TimeOfDay' THEN tideline.time(substr(v, 12, 18))::text END;
            END IF;
            IF source = 'Edm.Date' THEN
                RETURN CASE target WHEN 'Edm.DateTimeOffset' THEN v || 'T00:00:00.000000000Z' END;
            END IF;
            IF source <> 'Edm.String' THEN RETURN NULL; END IF;
            CASE target
            WHEN 'Edm.Boolean' THEN RETURN CASE WHEN lower(v) IN ('true', 'false') THEN lower(v) END;
            WHEN 'Edm.Guid' THEN
                RETURN CASE WHEN v ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' THEN lower(v) END;
            WHEN 'Edm.Date' THEN
                RETURN CASE WHEN v ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN to_char(v::date, 'YYYY-MM-DD') END;
            WHEN 'Edm.DateTimeOffset' THEN
                IF v !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})$'
                THEN RETURN NULL; END IF;
                RETURN tideline.moment(v::timestamptz);
            WHEN 'Edm.TimeOfDay' THEN
                IF v !~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]+)?)?$' THEN RETURN NULL; END IF;
                RETURN tideline.time(v)::text;
            WHEN 'Edm.Duration' THEN
                IF v !~ '^[+-]?P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\\.[0-9]+)?S)?)?$' THEN RETURN NULL; END IF;
                RETURN tideline.duration(v)::text;
            WHEN 'Edm.Binary' THEN
                RETURN decode(rpad(translate(v, '-_', '+/'), (length(v) + 3) / 4 * 4, '='), 'base64')::text;
            ELSE RETURN NULL;
            END CASE;
        EXCEPTION WHEN data_exception THEN
            RETURN NULL;
        END $$;
        """,
        // Names with commas between, or numbers, as EnumerationType reads them.
        """
        CREATE OR REPLACE FUNCTION tideline.member(v text, members text) RETURNS bigint LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            part text;
            found bigint;
            total bigint := 0;
        BEGIN
            IF v IS NULL THEN RETURN NULL; END IF;
            FOREACH part IN ARRAY string_to_array(v, ',') LOOP
                SELECT split_part(item, '=', 2)::bigint INTO found FROM unnest(string_to_array(members, ';')) AS item
                WHERE split_part(item, '=', 1) = btrim(part, ' ') LIMIT 1;
                IF found IS NULL AND btrim(part, ' ') ~ '^-?[0-9]{1,18}$' THEN found := btrim(part, ' ')::bigint; END IF;
                IF found IS NULL THEN RETURN NULL; END IF;
                total := total | found;
            END LOOP;
            RETURN total;
        END $$;
        """,
    ].joined(separator: "\n")

    /// JSON in columns; text that is none counts as null.
    static let json = [
        """
        CREATE OR REPLACE FUNCTION tideline.json_of(v text) RETURNS jsonb LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        BEGIN
            RETURN v::jsonb;
        EXCEPTION WHEN data_exception THEN
            RETURN NULL;
        END $$;
        """,
        sql(
            "json_member(v text, path text[])",
            "jsonb",
            "nullif(CASE WHEN jsonb_typeof(j) = 'object' OR path = '{}' THEN j #> path END, 'null')"
                + " FROM (SELECT tideline.json_of(v) AS j) AS parsed"
        ),
        sql("json_text(v text, path text[])", "text", "tideline.json_member(v, path)::text"),
        sql(
            "json_items(v text)",
            "SETOF text",
            "item::text FROM (SELECT tideline.json_of(v) AS j) AS parsed,"
                + " jsonb_array_elements(CASE WHEN jsonb_typeof(j) = 'array' THEN j ELSE '[]' END) AS items(item)"
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.json_value(v text, type text, path text[]) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL RESTRICTED AS $$
        DECLARE
            j jsonb := tideline.json_member(v, path);
            n numeric;
        BEGIN
            CASE jsonb_typeof(j)
            WHEN 'boolean' THEN RETURN CASE type WHEN 'Edm.Boolean' THEN j::text END;
            WHEN 'string' THEN
                IF type = 'Edm.String' THEN RETURN j #>> '{}'; END IF;
                RETURN CASE WHEN type <> 'Edm.Boolean' THEN tideline.cast_value(j #>> '{}', 'Edm.String', type) END;
            WHEN 'number' THEN
                n := (j #>> '{}')::numeric;
                IF type = 'Edm.Decimal' THEN RETURN tideline.decimal_fit(n)::text; END IF;
                IF type IN ('Edm.Double', 'Edm.Single') THEN
                    RETURN tideline.cast_value(n::text, 'Edm.Decimal', type);
                END IF;
                IF type LIKE 'Edm.%Int%' OR type LIKE 'Edm.%Byte' THEN
                    RETURN CASE WHEN n = trunc(n) THEN tideline.cast_value(n::text, 'Edm.Decimal', type) END;
                END IF;
                RETURN NULL;
            ELSE RETURN NULL;
            END CASE;
        END $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.has_subset(v text, part text) RETURNS boolean LANGUAGE sql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        SELECT NOT EXISTS (
            SELECT 1 FROM (SELECT x::jsonb AS item, count(*) AS n FROM tideline.json_items(part) AS x GROUP BY 1) AS p
            WHERE (SELECT count(*) FROM tideline.json_items(v) AS y WHERE y::jsonb = p.item) < p.n)
        $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.has_subsequence(v text, part text) RETURNS boolean LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            items jsonb[] := ARRAY(SELECT x::jsonb FROM tideline.json_items(v) AS x);
            wanted text;
            place int := 1;
        BEGIN
            FOR wanted IN SELECT tideline.json_items(part) LOOP
                WHILE place <= cardinality(items) AND items[place] <> wanted::jsonb LOOP place := place + 1; END LOOP;
                IF place > cardinality(items) THEN RETURN FALSE; END IF;
                place := place + 1;
            END LOOP;
            RETURN TRUE;
        END $$;
        """,
    ].joined(separator: "\n")
}
