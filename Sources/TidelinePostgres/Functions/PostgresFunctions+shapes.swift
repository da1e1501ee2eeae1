// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Distances, lengths and intersections of shapes in extended WKT, by the formulae of ``TidelineModel/Geography``;
    /// no PostGIS is needed.
    static let shapes = """
        CREATE OR REPLACE FUNCTION tideline.shape(a text, form text, srid bigint) RETURNS text LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            j json;
            kind text;
        BEGIN
            IF a IS NULL THEN RETURN NULL; END IF;
            IF form = 'geojson' THEN
                j := tideline.json_read(a);
                kind := j ->> 'type';
                RETURN 'SRID=' || srid || ';' || kind || tideline.shape_positions(j -> 'coordinates', kind = 'Point');
            END IF;
            RETURN CASE WHEN a ~* '^SRID=' THEN a ELSE 'SRID=' || srid || ';' || a END;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.shape_positions(a json, is_point boolean) RETURNS text LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            IF is_point THEN
                RETURN '(' || (SELECT string_agg(v, ' ' ORDER BY n)
                    FROM json_array_elements_text(a) WITH ORDINALITY AS e(v, n)) || ')';
            END IF;
            RETURN '(' || (SELECT string_agg(
                CASE WHEN json_typeof(v -> 0) = 'number'
                    THEN btrim(tideline.shape_positions(v, true), '()') ELSE tideline.shape_positions(v, false) END,
                ',' ORDER BY n) FROM json_array_elements(a) WITH ORDINALITY AS e(v, n)) || ')';
        END $$;
        -- Kind, reference system and text of the coordinates.
        CREATE OR REPLACE FUNCTION tideline.shape_parts(a text) RETURNS text[] LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
            SELECT ARRAY[upper(m[3] COLLATE "C"), coalesce(m[2], '4326'), btrim(m[4])]
            FROM regexp_match(a, '^\\s*(SRID=([0-9]+);)?\\s*([A-Za-z]+)\\s*(\\(.*\\))\\s*$', 'i') AS m
        $$;
        -- The positions of a list without inner parentheses, as x and y one after the other.
        CREATE OR REPLACE FUNCTION tideline.shape_numbers(a text) RETURNS float8[] LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
            SELECT coalesce(array_agg(v::float8 ORDER BY p.n, c.n), '{}')
            FROM unnest(string_to_array(btrim(a, ' ()'), ',')) WITH ORDINALITY AS p(text, n)
            CROSS JOIN LATERAL unnest(regexp_split_to_array(btrim(p.text), '\\s+')) WITH ORDINALITY AS c(v, n)
            WHERE c.n <= 2
        $$;
        CREATE OR REPLACE FUNCTION tideline.shape_step(
            x1 float8, y1 float8, x2 float8, y2 float8, is_flat boolean) RETURNS float8 LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
            SELECT CASE WHEN is_flat THEN sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
                ELSE 2 * 6371008.8::float8 * asin(least(1::float8, sqrt(
                    sin((y2 - y1) * (pi() / 180) / 2) * sin((y2 - y1) * (pi() / 180) / 2)
                    + cos(y1 * (pi() / 180)) * cos(y2 * (pi() / 180))
                        * (sin((x2 - x1) * (pi() / 180) / 2) * sin((x2 - x1) * (pi() / 180) / 2))))) END
        $$;
        CREATE OR REPLACE FUNCTION tideline.geo_distance(a text, b text, flat integer) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            p text[] := tideline.shape_parts(a);
            q text[] := tideline.shape_parts(b);
            m float8[];
            n float8[];
        BEGIN
            IF p[1] = 'POINT' AND q[1] = 'POINT' AND p[2] = q[2] THEN
                m := tideline.shape_numbers(p[3]);
                n := tideline.shape_numbers(q[3]);
                RETURN tideline.shape_step(m[1], m[2], n[1], n[2], flat = 1 OR p[2] = '0');
            END IF;
            RETURN NULL;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.geo_length(a text, flat integer) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            p text[] := tideline.shape_parts(a);
            line text[];
            n float8[];
            r float8 := 0;
            part float8;
        BEGIN
            IF p[1] NOT IN ('LINESTRING', 'MULTILINESTRING') OR p IS NULL THEN RETURN NULL; END IF;
            FOR line IN SELECT regexp_matches(p[3], '\\(([^()]*)\\)', 'g') LOOP
                n := tideline.shape_numbers(line[1]);
                part := 0;
                FOR i IN 1 .. cardinality(n) / 2 - 1 LOOP
                    part := part + tideline.shape_step(
                        n[2 * i - 1], n[2 * i], n[2 * i + 1], n[2 * i + 2], flat = 1 OR p[2] = '0');
                END LOOP;
                r := r + part;
            END LOOP;
            RETURN r;
        END $$;
        -- By the number of edges that a ray to the east crosses; a point on a ring is inside.
        CREATE OR REPLACE FUNCTION tideline.shape_contains(rings text, x float8, y float8) RETURNS boolean
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            ring text[];
            n float8[];
            inside boolean := false;
            turn float8;
        BEGIN
            FOR ring IN SELECT regexp_matches(rings, '\\(([^()]*)\\)', 'g') LOOP
                n := tideline.shape_numbers(ring[1]);
                FOR i IN 1 .. cardinality(n) / 2 - 1 LOOP
                    turn := (n[2 * i + 1] - n[2 * i - 1]) * (y - n[2 * i]) - (n[2 * i + 2] - n[2 * i]) * (x - n[2 * i - 1]);
                    IF turn = 0 AND x BETWEEN least(n[2 * i - 1], n[2 * i + 1]) AND greatest(n[2 * i - 1], n[2 * i + 1])
                        AND y BETWEEN least(n[2 * i], n[2 * i + 2]) AND greatest(n[2 * i], n[2 * i + 2]) THEN
                        RETURN true;
                    END IF;
                    IF (n[2 * i] > y) <> (n[2 * i + 2] > y) AND (turn > 0) = (n[2 * i + 2] > n[2 * i]) THEN
                        inside := NOT inside;
                    END IF;
                END LOOP;
            END LOOP;
            RETURN inside;
        END $$;
        CREATE OR REPLACE FUNCTION tideline.geo_intersects(a text, b text, flat integer) RETURNS boolean
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            p text[] := tideline.shape_parts(a);
            q text[] := tideline.shape_parts(b);
            n float8[];
            polygon text;
        BEGIN
            IF q[1] = 'POINT' THEN RETURN tideline.geo_intersects_parts(q, p); END IF;
            RETURN tideline.geo_intersects_parts(p, q);
        END $$;
        CREATE OR REPLACE FUNCTION tideline.geo_intersects_parts(p text[], q text[]) RETURNS boolean
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            n float8[];
            polygon text;
        BEGIN
            IF p IS NULL OR q IS NULL OR p[1] <> 'POINT' OR p[2] <> q[2] THEN RETURN NULL; END IF;
            n := tideline.shape_numbers(p[3]);
            IF q[1] = 'POLYGON' THEN RETURN tideline.shape_contains(q[3], n[1], n[2]); END IF;
            IF q[1] <> 'MULTIPOLYGON' THEN RETURN NULL; END IF;
            FOREACH polygon IN ARRAY regexp_split_to_array(q[3], '\\)\\s*\\)\\s*,\\s*\\(\\s*\\(') LOOP
                IF tideline.shape_contains('(' || btrim(polygon, ' ()') || ')', n[1], n[2]) THEN RETURN true; END IF;
            END LOOP;
            RETURN false;
        END $$;
        """
}
