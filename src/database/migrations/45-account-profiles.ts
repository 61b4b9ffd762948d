/** Step 45: names of accounts, and the time zones in which they read times. */
export const accountProfiles = {
  name: 'names and time zones of accounts',
  sql: `
ALTER TABLE customers ADD COLUMN account_name TEXT NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
`,
};
