// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// JSON in columns, collections and enumerations.
    static let collections = [
        // Text that is no JSON is null, never an error.
        """
        CREATE OR REPLACE FUNCTION tideline.json_read(a text) RETURNS json LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        BEGIN
            RETURN a::json;
        EXCEPTION WHEN OTHERS THEN RETURN NULL;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.json_at(a text, path text[]) RETURNS json LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            r json := tideline.json_read(a);
            name text;
        BEGIN
            FOREACH name IN ARRAY path LOOP
                IF r IS NULL OR json_typeof(r) <> 'object' THEN RETURN NULL; END IF;
                r := r -> name;
            END LOOP;
            RETURN CASE WHEN json_typeof(r) <> 'null' THEN r END;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.json_value(a text, type text, path text[]) RETURNS text LANGUAGE plpgsql
        STABLE PARALLEL RESTRICTED AS $$
        DECLARE
            found json := tideline.json_at(a, path);
            whole CONSTANT text[] := ARRAY['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'];
            item text := found #>> '{}';
            n numeric;
        BEGIN
            CASE json_typeof(found)
            WHEN 'boolean' THEN RETURN CASE WHEN type = 'Edm.Boolean' THEN item END;
            WHEN 'string' THEN
                RETURN CASE WHEN type <> 'Edm.Boolean' THEN tideline.value_of_text(item, type) END;
            WHEN 'number' THEN
                IF type = ANY (whole) THEN
                    n := tideline.real_exact(tideline.real_text(item));
                    IF item ~ '^-?[0-9]+$' THEN n := item::numeric; END IF;
                    RETURN CASE WHEN n = trunc(n) THEN tideline.integer_of(n, type)::text END;
                END IF;
                RETURN CASE WHEN type IN ('Edm.Decimal', 'Edm.Double', 'Edm.Single')
                    THEN tideline.value_of_text(item, type) END;
            ELSE RETURN NULL;
            END CASE;
        END $$;
        """,
        sql("json_text(a text, path text[])", "text", "tideline.json_compact(tideline.json_at(a, path))"),
        // The text that ``JSONValue`` writes: no blanks, members in their order.
        """
        CREATE OR REPLACE FUNCTION tideline.json_compact(a json) RETURNS text LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            RETURN CASE json_typeof(a)
                WHEN 'object' THEN (SELECT '{' || coalesce(string_agg(to_json(key)::text || ':'
                    || tideline.json_compact(value), ',' ORDER BY place), '') || '}'
                    FROM json_each(a) WITH ORDINALITY AS m(key, value, place))
                WHEN 'array' THEN (SELECT '[' || coalesce(string_agg(tideline.json_compact(value), ','
                    ORDER BY place), '') || ']'
                    FROM json_array_elements(a) WITH ORDINALITY AS m(value, place))
                WHEN 'string' THEN to_json(a #>> '{}')::text
                ELSE a::text END;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.json_items(a text) RETURNS SETOF text LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            list json := tideline.json_read(a);
        BEGIN
            IF json_typeof(list) = 'array' THEN
                RETURN QUERY SELECT e.item::text FROM json_array_elements(list) WITH ORDINALITY AS e(item, place)
                    ORDER BY e.place;
            END IF;
        END $$;
        """,
        // Items as texts that are equal when the items are: numbers by value, text by its characters.
        """
        CREATE OR REPLACE FUNCTION tideline.json_list(a text) RETURNS text[] LANGUAGE sql
        IMMUTABLE PARALLEL RESTRICTED AS $$
            SELECT coalesce(array_agg(tideline.json_equal(item::json)), '{}') FROM tideline.json_items(a) AS i(item)
        $$;
        CREATE OR REPLACE FUNCTION tideline.json_equal(a json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT CASE json_typeof(a) WHEN 'number' THEN trim_scale((a #>> '{}')::numeric)::text
                ELSE tideline.json_compact(a) END
        $$;
        CREATE OR REPLACE FUNCTION tideline.has_subset(a text, b text) RETURNS boolean LANGUAGE sql
        IMMUTABLE PARALLEL RESTRICTED AS $$
            SELECT CASE WHEN tideline.json_read(a) IS NOT NULL AND tideline.json_read(b) IS NOT NULL THEN NOT EXISTS (
                SELECT 1 FROM (SELECT item COLLATE "C" AS item, count(*) AS n
                    FROM unnest(tideline.json_list(b)) AS p(item) GROUP BY 1) AS parts
                WHERE n > (SELECT count(*) FROM unnest(tideline.json_list(a)) AS w(other)
                    WHERE w.other = parts.item COLLATE "C")) END
        $$;
        CREATE OR REPLACE FUNCTION tideline.has_subsequence(a text, b text) RETURNS boolean LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            part text[] := tideline.json_list(b);
            item text;
            place int := 1;
        BEGIN
            IF tideline.json_read(a) IS NULL OR tideline.json_read(b) IS NULL THEN RETURN NULL; END IF;
            FOREACH item IN ARRAY tideline.json_list(a) LOOP
                IF item = part[place] COLLATE "C" THEN place := place + 1; END IF;
            END LOOP;
            RETURN place > cardinality(part);
        END $$;
        """,
        // Numbers by value, members by name, null members as if absent.
        """
        CREATE OR REPLACE FUNCTION tideline.json_same(a text, b text) RETURNS boolean LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        BEGIN
            RETURN jsonb_strip_nulls(a::jsonb) = jsonb_strip_nulls(b::jsonb);
        EXCEPTION WHEN OTHERS THEN RETURN NULL;
        END $$;
        """,
        // The number of a member's name, or of several with commas, by `Red=1;Green=2`.
        """
        CREATE OR REPLACE FUNCTION tideline.member(a text, members text) RETURNS bigint LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            name text;
            found bigint;
            r bigint := 0;
        BEGIN
            IF a IS NULL THEN RETURN NULL; END IF;
            FOREACH name IN ARRAY string_to_array(a, ',') LOOP
                name := btrim(name, ' ');
                SELECT substr(m, length(m) - position('=' IN reverse(m)) + 2)::bigint INTO found
                FROM unnest(string_to_array(members, ';')) AS l(m)
                WHERE left(m, length(m) - position('=' IN reverse(m))) = name COLLATE "C" LIMIT 1;
                IF found IS NULL AND name ~ '^[-+]?[0-9]{1,18}$' THEN found := name::bigint; END IF;
                IF found IS NULL THEN RETURN NULL; END IF;
                r := r | found;
            END LOOP;
            RETURN r;
        END $$;
        """,
    ].joined(separator: "\n")
}
