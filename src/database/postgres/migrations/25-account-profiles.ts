/** Step 25: names of accounts, and the time zones in which they read times. */
export const accountProfiles = `
ALTER TABLE customers ADD COLUMN account_name text NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
`;
