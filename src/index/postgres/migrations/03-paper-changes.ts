/** Step 3: what happens to papers from now on, for readers who follow the index. */
export const paperChanges = `
CREATE TABLE paper_changes (
  sequence bigint PRIMARY KEY,
  id       text COLLATE "C" NOT NULL UNIQUE,
  added    bigint NOT NULL,
  reason   text
);
`;
