-- The migrations that the database has had. The steps are in src/store/migrations/.
-- `PRAGMA user_version` is the number of the last step. Programs check it when they open the file.

CREATE TABLE migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at INTEGER,             -- milliseconds since 1970, UTC; NULL: older than this table
  program    TEXT                 -- the version that ran the step; NULL: older than this column
) STRICT;
