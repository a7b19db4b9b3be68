/** Marks the file as Parley's, so that another program's database is never taken for a session store: "PRLY". */
export const APPLICATION_ID = 0x50524c59;

/**
 * The schema as the steps that lead to it; `PRAGMA user_version` says how many of them a file has seen.
 * A step that was ever released is never changed: a new one is added.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    num            INTEGER PRIMARY KEY AUTOINCREMENT, -- never given out again, so that removed events stay unreachable
    principal      TEXT NOT NULL,
    id             TEXT NOT NULL,
    cwd            TEXT NOT NULL,
    title          TEXT,             -- as JSON: any string survives, NUL and half surrogates included
    metadata       TEXT NOT NULL,    -- as JSON
    archived       INTEGER NOT NULL DEFAULT 0,
    created_ms     INTEGER NOT NULL,
    updated_ms     INTEGER NOT NULL,
    head           INTEGER NOT NULL DEFAULT 0,
    bytes          INTEGER NOT NULL DEFAULT 0,
    epoch          INTEGER NOT NULL DEFAULT 0,
    owner          TEXT,
    lease_until_ms INTEGER,
    UNIQUE (principal, id)
  );
  CREATE INDEX session_by_activity ON session (principal, updated_ms);
  CREATE INDEX session_by_cwd ON session (principal, cwd, updated_ms);

  CREATE TABLE event (
    place    INTEGER PRIMARY KEY,    -- session.num << 32 | seq: a session's events lie together, in order
    epoch    INTEGER NOT NULL,
    time_ms  INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    end_byte INTEGER NOT NULL,       -- bytes of all bodies of the session up to this one; pages are cut by it
    body     TEXT NOT NULL           -- as JSON
  );

  CREATE TABLE request (              -- no longer used; files of earlier versions may have rows in it
    session     INTEGER NOT NULL,
    id          TEXT NOT NULL,
    body        TEXT NOT NULL,
    asked_ms    INTEGER NOT NULL,
    answer      TEXT,
    answered_by TEXT,
    answered_ms INTEGER,
    PRIMARY KEY (session, id)
  );

  CREATE TABLE inbound (
    session INTEGER NOT NULL,
    key     TEXT NOT NULL,
    outcome TEXT,
    PRIMARY KEY (session, key)
  );
  `,
  `
  ALTER TABLE session ADD COLUMN parent_id TEXT;
  CREATE TABLE removal (session INTEGER PRIMARY KEY); -- sessions whose events are still to be deleted, bit by bit
  `,
  `
  ALTER TABLE session ADD COLUMN trimmed_to INTEGER NOT NULL DEFAULT 0;    -- the last event that was dropped; a summary has its place
  ALTER TABLE session ADD COLUMN trimmed_bytes INTEGER NOT NULL DEFAULT 0; -- of the bodies that are gone, less the summary's
  CREATE TABLE trimming (session INTEGER PRIMARY KEY); -- sessions whose events before trimmed_to are still to be deleted, bit by bit
  `,
];
