-- The database itself: which migrations it has seen. The folder src/store/migrations/ has the steps.
-- `PRAGMA user_version` is the number of the last step. Programs compare that number when they open
-- the file.

CREATE TABLE migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at INTEGER              -- milliseconds since 1970, UTC; NULL: before this table existed
) STRICT;
