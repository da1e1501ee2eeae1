// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The schema `tideline` of a published database: what stands in it besides the functions of its tables.
enum CaptureSchema {
    /// The version of all this; another one is made anew by publishing again.
    static let format = "1"

    /// The statements that make it, functions that queries need included.
    static let statements =
        [
            "CREATE SCHEMA IF NOT EXISTS tideline",
            "COMMENT ON SCHEMA tideline IS 'Change capture of Tideline; removed by tideline unpublish'",
            "CREATE TABLE tideline.state(name text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)",
            // The epoch is the sum of these numbers: transactions add to it side by side, and none waits.
            """
            CREATE TABLE tideline.epochs(value numeric NOT NULL, reason text NOT NULL, \
            since timestamptz NOT NULL DEFAULT clock_timestamp())
            """,
            """
            CREATE TABLE tideline.log(seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            tx xid8 NOT NULL DEFAULT pg_current_xact_id(), nonce uuid NOT NULL DEFAULT gen_random_uuid(), \
            set_id integer NOT NULL, key text COLLATE "C" NOT NULL, operation text COLLATE "C" NOT NULL, before jsonb)
            """,
            "CREATE INDEX log_set ON tideline.log(set_id, tx)",
            // By a hash, because an index holds no long key.
            "CREATE INDEX log_key ON tideline.log(set_id, hashtextextended(key, 0), tx)",
            """
            CREATE TABLE tideline.scope(set_id integer NOT NULL, property text COLLATE "C" NOT NULL, \
            value bigint NOT NULL, tx xid8 NOT NULL DEFAULT pg_current_xact_id(), key text COLLATE "C" NOT NULL)
            """,
            "CREATE INDEX scope_value ON tideline.scope(set_id, property, value, tx)",
            """
            CREATE TABLE tideline.clients(client text COLLATE "C" PRIMARY KEY, "user" text COLLATE "C", \
            number bigint NOT NULL)
            """,
            """
            CREATE TABLE tideline.answers(client text COLLATE "C" NOT NULL, request text COLLATE "C" NOT NULL, \
            number bigint, hash bytea NOT NULL, answer bytea NOT NULL, \
            kept_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY(client, request))
            """,
            answersByAge,
            authors,
            """
            CREATE TABLE tideline.capture(set_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
            schema_name text COLLATE "C" NOT NULL, table_name text COLLATE "C" NOT NULL, \
            key_columns text NOT NULL, columns text NOT NULL, scopes text NOT NULL, \
            scope_from xid8 NOT NULL DEFAULT '0', relation oid, attributes int2[], \
            signature text NOT NULL DEFAULT '', UNIQUE(schema_name, table_name))
            """,
            beginEpoch,
            """
            CREATE FUNCTION tideline.truncated() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $tideline$
            BEGIN
              PERFORM tideline.begin_epoch('truncated');
              RETURN NULL;
            END $tideline$
            """,
            "REVOKE ALL ON FUNCTION tideline.begin_epoch(text), tideline.truncated() FROM PUBLIC",
        ] + ConflictLog.statements

    /// The answers that are forgotten by their age: without it each is looked at.
    static let answersByAge = "CREATE INDEX IF NOT EXISTS answers_age ON tideline.answers(kept_at) WHERE number IS NULL"

    /// Whose doing transactions of the log are, where devices made them.
    static let authors = """
        CREATE TABLE IF NOT EXISTS tideline.authors(tx xid8 PRIMARY KEY, client text COLLATE "C" NOT NULL)
        """

    private static let beginEpoch = """
        CREATE FUNCTION tideline.begin_epoch(reason text) RETURNS void LANGUAGE sql
        SET search_path = pg_catalog, pg_temp AS $tideline$
          INSERT INTO tideline.epochs(value, reason)
          SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint, reason
        $tideline$
        """

    /// The epoch: 32 hexadecimal digits, and why it was begun.
    static let epoch = """
        SELECT md5(sum(value)::text), (SELECT reason FROM tideline.epochs ORDER BY since DESC LIMIT 1)
        FROM tideline.epochs
        """

    /// What tells this database of this server from every copy of it.
    ///
    /// A dump that was restored has other objects, a copied database another identifier, a restored server another
    /// timeline, and another server another system identifier. Source: PostgreSQL, "pg_control_system".
    static let identity = """
        SELECT concat_ws(':', (SELECT system_identifier FROM pg_control_system()),
            CASE WHEN pg_is_in_recovery() THEN '-' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END,
            (SELECT oid FROM pg_database WHERE datname = current_database()), 'tideline.log'::regclass::oid)
        """

    /// What is not ours and needs something of ours: views, indexes, defaults, constraints, routines.
    static let dependents = """
        WITH ours AS (
            SELECT 'pg_class'::regclass AS class, oid FROM pg_catalog.pg_class
            WHERE relnamespace = to_regnamespace('tideline')
            UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_catalog.pg_proc
            WHERE pronamespace = to_regnamespace('tideline')
            UNION ALL SELECT 'pg_type'::regclass, oid FROM pg_catalog.pg_type
            WHERE typnamespace = to_regnamespace('tideline')
        )
        SELECT DISTINCT coalesce('view ' || r.ev_class::regclass::text, i.type || ' ' || regexp_replace(i.identity, '^for ', ''))
        FROM pg_catalog.pg_depend AS d JOIN ours AS o ON o.class = d.refclassid AND o.oid = d.refobjid
        CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, d.objsubid) AS i
        LEFT JOIN pg_catalog.pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
        WHERE d.deptype IN ('n', 'a') AND i.schema IS DISTINCT FROM 'tideline'
        AND i.identity !~ '(^|on |for )tideline[.]' ORDER BY 1
        """

    /// All that the signatures below say, and the identity, as one text: for a look at each request.
    ///
    /// Sums of hashes, so that nothing is sorted; and one of each table, so that these are looked up in the catalog: in one
    /// join PostgreSQL reads all relations and attributes of the database, as it thinks that there are many tables here.
    static let digest = """
        SELECT concat_ws('/', (\(identity)),
            (SELECT sum(hashtextextended(concat_ws(':', t.oid, t.xmin, t.tgenabled, t.tgrelid), 0))
             FROM pg_catalog.pg_trigger AS t WHERE starts_with(t.tgname::text, '!tideline_')),
            (SELECT sum(x.value) FROM tideline.capture AS c CROSS JOIN LATERAL (
                SELECT sum(hashtextextended(concat_ws(':', r.oid, r.relname, r.relnamespace), 0)) AS value
                FROM pg_catalog.pg_class AS r WHERE r.oid = c.relation) AS x),
            (SELECT sum(x.value) FROM tideline.capture AS c CROSS JOIN LATERAL (
                SELECT sum(hashtextextended(concat_ws(':', a.attrelid, a.attname, a.atttypid, a.atttypmod), 0)) AS value
                FROM pg_catalog.pg_attribute AS a
                WHERE a.attrelid = c.relation AND a.attnum = ANY (c.attributes) AND NOT a.attisdropped) AS x))
        """

    /// Whether nothing was written past the log, as far as the catalog can tell.
    static let isWhole = """
        (SELECT value FROM tideline.state WHERE name = 'digest') = (\(digest)) AND (\(labelsStay))
        """

    /// Whether the labels of enumerations are what they were: to rename one changes rows that no trigger sees.
    ///
    /// A label that was added since changes no row.
    static let labelsStay = """
        SELECT coalesce(bool_and(e.enumlabel::text = l.value), true)
        FROM jsonb_each_text((SELECT value::jsonb FROM tideline.state WHERE name = 'labels')) AS l
        JOIN pg_catalog.pg_enum AS e ON e.oid = l.key::oid
        """

    /// The labels that captured columns can have, by their identifiers: through domains and arrays.
    ///
    /// The tables of items, whose names `$1` has as a JSON array, are looked at too. Composite types with an enumeration in
    /// them are not published.
    static let labels = """
        WITH RECURSIVE columns(relation, attribute) AS (
            SELECT c.relation, unnest(c.attributes) FROM tideline.capture AS c
            UNION ALL SELECT a.attrelid, a.attnum FROM jsonb_array_elements_text($1::jsonb) AS i
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = to_regclass(i) AND a.attnum > 0
        ), types(oid) AS (
            SELECT a.atttypid FROM columns AS c
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.relation AND a.attnum = c.attribute AND NOT a.attisdropped
            UNION SELECT unnest(ARRAY[t.typbasetype, t.typelem]) FROM types AS y
            JOIN pg_catalog.pg_type AS t ON t.oid = y.oid
        )
        SELECT coalesce(jsonb_object_agg(e.oid::text, e.enumlabel::text), '{}')::text
        FROM types AS y JOIN pg_catalog.pg_enum AS e ON e.enumtypid = y.oid
        """

    /// For each captured table what must stay as it was: relation, columns, and triggers with the transaction that
    /// last touched them, those of partitions too.
    ///
    /// A trigger that was disabled and enabled again is another version of its row in the catalog.
    static let signatures = """
        SELECT c.set_id, c.signature = s.signature AS is_whole, s.signature, r.relid::oid AS relation,
            (SELECT array_agg(a.attnum) FROM pg_catalog.pg_attribute AS a
             WHERE a.attrelid = r.relid AND a.attnum > 0 AND NOT a.attisdropped
             AND c.columns::jsonb ? a.attname::text) AS attributes
        FROM tideline.capture AS c
        LEFT JOIN LATERAL to_regclass(format('%I.%I', c.schema_name, c.table_name)) AS r(relid) ON true
        CROSS JOIN LATERAL (
            SELECT md5(concat_ws('/', r.relid::oid,
                (SELECT string_agg(concat_ws(':', t.oid, t.xmin, t.tgenabled), ',' ORDER BY t.oid)
                 FROM pg_catalog.pg_trigger AS t WHERE starts_with(t.tgname::text, '!tideline_') AND t.tgrelid IN (
                    SELECT r.relid::oid UNION ALL SELECT p.relid::oid FROM pg_partition_tree(r.relid) AS p)),
                (SELECT string_agg(concat_ws(':', a.attname, a.atttypid, a.atttypmod), ',' ORDER BY a.attname)
                 FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = r.relid AND a.attnum > 0 AND NOT a.attisdropped
                 AND c.columns::jsonb ? a.attname::text))) AS signature) AS s
        """
}
