/** Second factors of addresses, with recovery codes. */
export const secondFactors = `
CREATE TABLE second_factors (
  email      text PRIMARY KEY,
  secret     bytea NOT NULL,
  used_step  bigint NOT NULL,
  enabled_at bigint NOT NULL
);
CREATE TABLE recovery_codes (
  email     text NOT NULL REFERENCES second_factors,
  code_hash bytea NOT NULL,
  PRIMARY KEY (email, code_hash)
);
`;
