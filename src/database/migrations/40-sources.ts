/** Step 40: sources, from which records are fetched. */
export const sources = {
  name: 'sources',
  sql: `
CREATE TABLE sources (
  name        TEXT PRIMARY KEY,
  settings    TEXT NOT NULL,
  added_at    INTEGER NOT NULL,
  position    TEXT,
  state       TEXT NOT NULL,
  owner       TEXT,
  owned_until INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE source_seen (
  source TEXT NOT NULL REFERENCES sources (name) ON DELETE CASCADE,
  key    INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) WITHOUT ROWID;
`,
};
