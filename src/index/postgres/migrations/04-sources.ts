/** Step 4: sources, from which records are fetched. */
export const sources = `
CREATE TABLE sources (
  name        text PRIMARY KEY,
  settings    text NOT NULL,
  added_at    bigint NOT NULL,
  position    text,
  state       text NOT NULL,
  owner       text,
  owned_until bigint NOT NULL DEFAULT 0
);
CREATE TABLE source_seen (
  source text NOT NULL REFERENCES sources (name) ON DELETE CASCADE,
  key    bigint NOT NULL,
  PRIMARY KEY (source, key)
);
`;
