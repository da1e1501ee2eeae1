// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Arithmetic of decimals with 38 digits: what needs more loses places, rounded half away from zero; what has more
    /// before the point is null.
    static let decimals = [
        sql(
            "decimal_fit(a numeric)",
            "numeric",
            "CASE WHEN abs(a) < 1000000000000000000 AND scale(a) <= 20 THEN a ELSE tideline.decimal_cut(a) END"
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.decimal_cut(a numeric) RETURNS numeric LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            most CONSTANT numeric := 99999999999999999999999999999999999999;
            places int;
            r numeric;
        BEGIN
            IF a IS NULL OR a = 'NaN' OR abs(a) > most + 1 THEN RETURN NULL; END IF;
            places := 38 - CASE WHEN abs(a) < 1 THEN 0 ELSE length(trunc(abs(a))::text) END;
            r := CASE WHEN scale(a) > places THEN round(a, greatest(places, 0)) ELSE a END;
            IF abs(r) > most THEN RETURN NULL; END IF;
            RETURN r;
        END $$;
        """,
        sql("decimal_add(a numeric, b numeric)", "numeric", "tideline.decimal_fit(a + b)"),
        sql("decimal_subtract(a numeric, b numeric)", "numeric", "tideline.decimal_fit(a - b)"),
        sql("decimal_multiply(a numeric, b numeric)", "numeric", "tideline.decimal_fit(a * b)"),
        // PostgreSQL's own quotient has as many places as it likes: div() is exact.
        """
        CREATE OR REPLACE FUNCTION tideline.decimal_divide(a numeric, b numeric) RETURNS numeric LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            wide numeric := a * 100000000000000000000;
            q numeric;
        BEGIN
            IF a IS NULL OR b IS NULL OR b = 0 THEN RETURN NULL; END IF;
            q := div(wide, b);
            IF 2 * abs(wide - q * b) >= abs(b) THEN q := q + sign(a) * sign(b); END IF;
            RETURN tideline.decimal_fit(trim_scale(q * 0.00000000000000000001));
        END $$;
        """,
        sql("decimal_remainder(a numeric, b numeric)", "numeric", "CASE WHEN b = 0 THEN NULL ELSE a % b END"),
        sql("decimal_scaled(a bigint, places integer)", "numeric", "a::numeric * ('1e-' || places)::numeric"),
    ].joined(separator: "\n")
}
