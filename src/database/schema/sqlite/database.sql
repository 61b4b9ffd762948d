-- The migrations that the database has had. The steps are in src/database/migrations/.
-- `PRAGMA user_version` is the number of the last step. Programs check it when they open the file.

CREATE TABLE migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at INTEGER,             -- milliseconds since 1970, UTC; NULL: older than this table
  program    TEXT                 -- the version that ran the step; NULL: older than this column
) STRICT;

-- The numbers of the server that uses this file, over time, for the charts of its operator. Each row
-- counts what happened since the row before. The limit historySamplesMax says how many are kept.
CREATE TABLE server_samples (
  ended_at INTEGER PRIMARY KEY,   -- milliseconds since 1970, UTC
  numbers  TEXT NOT NULL          -- JSON: see src/metrics/server-sample.ts
) STRICT;

-- Updates of the index that operators started on their pages, in the server's own file. The oldest
-- ones are deleted.
CREATE TABLE index_updates (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  path       TEXT NOT NULL,             -- within the folder for updates; empty: all of it
  actor      TEXT NOT NULL,             -- who started it, as in operator_actions
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,                   -- NULL: it runs, or goes on with the next start of the server
  outcome    TEXT CHECK (outcome IN ('done', 'stopped', 'failed')),
  message    TEXT                       -- why it failed
) STRICT;
