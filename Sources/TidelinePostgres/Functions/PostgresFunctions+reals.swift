// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Arithmetic of floating-point numbers: overflow is infinite and underflow zero, as the processor has them, where
    /// PostgreSQL fails; what is not a number is null, and so is a division by zero.
    static let reals = [
        // The common way first, with no function behind it; the rest pays for a subtransaction.
        sql(
            "real_add(a float8, b float8)",
            "float8",
            "CASE WHEN abs(a) < 8e307 AND abs(b) < 8e307 THEN a + b ELSE tideline.real_slow('+', a, b) END"
        ),
        sql(
            "real_subtract(a float8, b float8)",
            "float8",
            "CASE WHEN abs(a) < 8e307 AND abs(b) < 8e307 THEN a - b ELSE tideline.real_slow('+', a, -b) END"
        ),
        sql(
            "real_multiply(a float8, b float8)",
            "float8",
            "CASE WHEN (a = 0 OR abs(a) BETWEEN 1e-150 AND 1e150) AND (b = 0 OR abs(b) BETWEEN 1e-150 AND 1e150)"
                + " THEN a * b ELSE tideline.real_slow('*', a, b) END"
        ),
        sql(
            "real_divide(a float8, b float8)",
            "float8",
            "CASE WHEN b = 0 THEN CASE WHEN a = 'NaN' THEN NULL WHEN a > 0 THEN float8 'Infinity'"
                + " WHEN a < 0 THEN float8 '-Infinity' END"
                + " WHEN (a = 0 OR abs(a) BETWEEN 1e-150 AND 1e150)"
                + " AND abs(b) BETWEEN 1e-150 AND 1e150 THEN a / b ELSE tideline.real_slow('/', a, b) END"
        ),
        """
        CREATE OR REPLACE FUNCTION tideline.real_slow(op text, a float8, b float8) RETURNS float8 LANGUAGE plpgsql
        IMMUTABLE PARALLEL RESTRICTED AS $$
        DECLARE
            r float8;
        BEGIN
            IF a IS NULL OR b IS NULL THEN RETURN NULL; END IF;
            BEGIN
                r := CASE op WHEN '+' THEN a + b WHEN '*' THEN a * b ELSE a / b END;
            EXCEPTION WHEN numeric_value_out_of_range THEN
                IF op = '+' THEN
                    r := sign(a) * float8 'Infinity';
                ELSIF (ln(abs(a)) + CASE op WHEN '*' THEN ln(abs(b)) ELSE -ln(abs(b)) END) > 0 THEN
                    r := sign(a) * sign(b) * float8 'Infinity';
                ELSE
                    r := 0;
                END IF;
            END;
            RETURN nullif(r, 'NaN');
        END $$;
        """,
        // The exact value of a finite number: mantissa and power of two, from its bits.
        """
        CREATE OR REPLACE FUNCTION tideline.real_exact(a float8) RETURNS numeric LANGUAGE plpgsql
        IMMUTABLE PARALLEL SAFE AS $$
        DECLARE
            bits bigint := ('x' || encode(float8send(a), 'hex'))::bit(64)::bigint;
            power int := (bits >> 52) & 2047;
            digits numeric := bits & 4503599627370495;
        BEGIN
            IF power = 0 THEN power := 1; ELSE digits := digits + 4503599627370496; END IF;
            power := power - 1075;
            IF bits < 0 THEN digits := -digits; END IF;
            IF power >= 0 THEN RETURN digits * 2::numeric ^ power; END IF;
            RETURN digits * 5::numeric ^ (-power) * ('1e' || power)::numeric;
        END $$;
        """,
        sql(
            "remainder(a float8, b float8)",
            "float8",
            "CASE WHEN b = 0 OR a IN ('NaN', 'Infinity', '-Infinity') OR b = 'NaN' THEN NULL"
                + " WHEN b IN ('Infinity', '-Infinity') THEN a"
                + " ELSE (tideline.real_exact(a) % tideline.real_exact(b))::float8 END"
        ),
        // PostgreSQL's own round() goes to the even neighbour.
        sql(
            "round(a float8)",
            "float8",
            "CASE WHEN abs(a) < 4503599627370496 THEN"
                + " trunc(a) + CASE WHEN abs(a - trunc(a)) >= 0.5 THEN sign(a) ELSE 0 END ELSE a END"
        ),
    ].joined(separator: "\n")
}
