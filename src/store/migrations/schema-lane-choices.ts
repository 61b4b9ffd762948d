/** Where questions may go: what customers say for all their keys, and for one of them. */
export const laneChoiceTables = `
ALTER TABLE customers ADD COLUMN lanes TEXT;  -- as in lane-choice.ts; NULL: all
ALTER TABLE api_keys ADD COLUMN lanes TEXT;
`;
