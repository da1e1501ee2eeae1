// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Shapes as extended WKT, measured by the formulae of the model's Geography; PostGIS is not needed.
    static let shapes = [
        """
        CREATE OR REPLACE FUNCTION tideline.geo_json(j jsonb) RETURNS text LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        BEGIN
            IF jsonb_typeof(j) <> 'array' OR jsonb_array_length(j) = 0 THEN RETURN NULL; END IF;
            IF jsonb_typeof(j -> 0) = 'number' THEN
                RETURN (SELECT string_agg(x #>> '{}', ' ' ORDER BY n) FROM jsonb_array_elements(j)
                    WITH ORDINALITY AS e(x, n) WHERE n <= 3);
            END IF;
            RETURN '(' || (SELECT string_agg(tideline.geo_json(x), ',' ORDER BY n) FROM jsonb_array_elements(j)
                WITH ORDINALITY AS e(x, n)) || ')';
        END $$;
        """,
        sql(
            "shape(v text, form text, srid integer)",
            "text",
            "CASE WHEN v ~* '^srid=' THEN v WHEN form <> 'geojson' THEN 'SRID=' || srid || ';' || v"
                + " WHEN j ->> 'type' = 'Point' THEN 'SRID=' || srid || ';Point('"
                + " || tideline.geo_json(j -> 'coordinates') || ')'"
                + " ELSE 'SRID=' || srid || ';' || (j ->> 'type') || tideline.geo_json(j -> 'coordinates') END"
                + " FROM (SELECT CASE WHEN form = 'geojson' THEN tideline.json_read(v)::jsonb END AS j) AS parsed"
        ),
        sql("geo_srid(v text)", "text", "coalesce(substring(v from '^[Ss][Rr][Ii][Dd]=([0-9]+);'), '4326')"),
        sql("geo_type(v text)", "text", "upper(substring(v from '^(?:[Ss][Rr][Ii][Dd]=[0-9]+;)?\\s*([A-Za-z]+)'))"),
        // The lines or rings of a shape, each as the numbers of its positions, x and y in turn.
        """
        CREATE OR REPLACE FUNCTION tideline.geo_lines(v text) RETURNS SETOF float8[] LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS $$
        SELECT ARRAY(
            SELECT c::float8 FROM unnest(string_to_array(line[1], ',')) WITH ORDINALITY AS p(position, n),
                unnest((regexp_split_to_array(btrim(position), '\\s+'))[1:2]) WITH ORDINALITY AS x(c, m)
            ORDER BY n, m)
        FROM regexp_matches(v, '\\(([^()]+)\\)', 'g') AS line
        $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.geo_step(x1 float8, y1 float8, x2 float8, y2 float8, flat int)
        RETURNS float8 LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            radian CONSTANT float8 := pi() / 180;
            latitude float8;
            longitude float8;
        BEGIN
            IF flat = 1 THEN RETURN sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1)); END IF;
            latitude := sin((y2 - y1) * radian / 2);
            longitude := sin((x2 - x1) * radian / 2);
            RETURN 2 * 6371008.8 * asin(least(1, sqrt(latitude * latitude
                + cos(y1 * radian) * cos(y2 * radian) * longitude * longitude)));
        END $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.geo_distance(a text, b text, flat int) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            p float8[];
            q float8[];
        BEGIN
            IF tideline.geo_srid(a) <> tideline.geo_srid(b) OR tideline.geo_type(a) IS DISTINCT FROM 'POINT'
                OR tideline.geo_type(b) IS DISTINCT FROM 'POINT' THEN RETURN NULL; END IF;
            SELECT l INTO p FROM tideline.geo_lines(a) AS l;
            SELECT l INTO q FROM tideline.geo_lines(b) AS l;
            RETURN tideline.geo_step(p[1], p[2], q[1], q[2],
                CASE WHEN tideline.geo_srid(a) = '0' THEN 1 ELSE flat END);
        END $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.geo_length(a text, flat int) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            l float8[];
            total float8 := 0;
            part float8;
            plane int := CASE WHEN tideline.geo_srid(a) = '0' THEN 1 ELSE flat END;
        BEGIN
            IF a IS NULL OR tideline.geo_type(a) NOT IN ('LINESTRING', 'MULTILINESTRING') THEN RETURN NULL; END IF;
            FOR l IN SELECT tideline.geo_lines(a) LOOP
                part := 0;
                FOR i IN 1 .. cardinality(l) / 2 - 1 LOOP
                    part := part + tideline.geo_step(l[2*i-1], l[2*i], l[2*i+1], l[2*i+2], plane);
                END LOOP;
                total := total + part;
            END LOOP;
            RETURN total;
        END $$;
        """,
        """
        CREATE OR REPLACE FUNCTION tideline.geo_intersects(a text, b text, flat int) RETURNS boolean LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            area text := CASE WHEN tideline.geo_type(a) = 'POINT' THEN b ELSE a END;
            p float8[];
            l float8[];
            cross_ float8;
            inside boolean := FALSE;
        BEGIN
            IF tideline.geo_srid(a) <> tideline.geo_srid(b) THEN RETURN NULL; END IF;
            IF tideline.geo_type(a) = 'POINT' THEN
                SELECT x INTO p FROM tideline.geo_lines(a) AS x;
            ELSIF tideline.geo_type(b) = 'POINT' THEN
                SELECT x INTO p FROM tideline.geo_lines(b) AS x;
            END IF;
            IF p IS NULL OR area IS NULL OR tideline.geo_type(area) NOT IN ('POLYGON', 'MULTIPOLYGON') THEN RETURN NULL; END IF;
            FOR l IN SELECT tideline.geo_lines(area) LOOP
                FOR i IN 1 .. cardinality(l) / 2 - 1 LOOP
                    cross_ := (l[2*i+1] - l[2*i-1]) * (p[2] - l[2*i]) - (l[2*i+2] - l[2*i]) * (p[1] - l[2*i-1]);
                    IF cross_ = 0 AND p[1] BETWEEN least(l[2*i-1], l[2*i+1]) AND greatest(l[2*i-1], l[2*i+1])
                        AND p[2] BETWEEN least(l[2*i], l[2*i+2]) AND greatest(l[2*i], l[2*i+2]) THEN RETURN TRUE; END IF;
                    IF (l[2*i] > p[2]) <> (l[2*i+2] > p[2]) AND (cross_ > 0) = (l[2*i+2] > l[2*i]) THEN
                        inside := NOT inside;
                    END IF;
                END LOOP;
            END LOOP;
            RETURN inside;
        END $$;
        """,
    ].joined(separator: "\n")
}
