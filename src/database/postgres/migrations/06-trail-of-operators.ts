/** What operators changed. The rows have the meaning that `schema/accounts.sql` describes. */
export const trailOfOperators = `
CREATE TABLE operator_actions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          bigint NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  customer_id bigint REFERENCES customers,
  subject     text,
  details     text,
  submission  text UNIQUE
);
CREATE INDEX operator_actions_by_customer ON operator_actions (customer_id, id);
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON operator_actions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_actions_not_emptied BEFORE TRUNCATE ON operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;
