/** Whether the accounts are here, or have moved: see `schema/accounts.sql`. */
export const placeOfAccounts = `
CREATE TABLE account_place (
  id      boolean PRIMARY KEY CHECK (id),
  state   text NOT NULL CHECK (state IN ('here', 'away')),
  move    text,
  pending text,
  other   text
);
INSERT INTO account_place (id, state) VALUES (true, 'here');

-- For the time of a move and after it, this is a trigger of what programs add to.
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the accounts have moved to another database' USING ERRCODE = '55000';
END $$;
`;
