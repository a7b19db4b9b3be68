/**
 * The schema as the steps that lead to it; `version` in its own table says how many of them a database has seen.
 * A step that was ever released is never changed: a new one is added. `$` stands for the schema's name.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE $.session (
    num            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never given out again
    principal      text NOT NULL,
    id             text NOT NULL,
    cwd            text NOT NULL,
    title          text,              -- as JSON: any string survives, NUL and half surrogates included
    metadata       text NOT NULL,     -- as JSON, as it was written
    archived       boolean NOT NULL DEFAULT false,
    created_ms     bigint NOT NULL,
    updated_ms     bigint NOT NULL,
    head           bigint NOT NULL DEFAULT 0,
    bytes          bigint NOT NULL DEFAULT 0,
    parent_id      text,
    epoch          bigint NOT NULL DEFAULT 0,
    owner          text,
    lease_until_ms bigint,
    UNIQUE (principal, id)
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX session_by_activity ON $.session (principal, updated_ms, num);
  CREATE INDEX session_by_cwd ON $.session (principal, cwd, updated_ms, num);

  CREATE TABLE $.event (
    session  bigint NOT NULL,
    seq      bigint NOT NULL,
    epoch    bigint NOT NULL,
    time_ms  bigint NOT NULL,
    kind     text NOT NULL,
    end_byte bigint NOT NULL,         -- bytes of all bodies of the session up to this one; pages are cut by it
    body     text NOT NULL,           -- as JSON, as it was written
    PRIMARY KEY (session, seq)
  );

  CREATE TABLE $.inbound (
    session bigint NOT NULL,
    key     text NOT NULL,
    outcome text,
    PRIMARY KEY (session, key)
  );

  CREATE TABLE $.removal (session bigint PRIMARY KEY); -- sessions whose events are still to be deleted, bit by bit
  `,
  `
  ALTER TABLE $.session
    ADD COLUMN trimmed_to bigint NOT NULL DEFAULT 0,    -- the last event that was dropped; a summary has its place
    ADD COLUMN trimmed_bytes bigint NOT NULL DEFAULT 0; -- of the bodies that are gone, less the summary's
  CREATE TABLE $.trimming (session bigint PRIMARY KEY); -- sessions whose events before trimmed_to are still to be deleted, bit by bit
  `,
];
