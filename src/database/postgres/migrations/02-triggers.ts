/** What the database itself keeps true: the ledger only grows, and activity and totals follow. */
export const triggers = `
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_not_emptied BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER stored_answers_no_update BEFORE UPDATE ON stored_answers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION day_of(time_ms bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(to_timestamp(time_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')
$$;

CREATE FUNCTION note_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.kind IN ('hold', 'topup', 'adjust') THEN
    INSERT INTO activity VALUES (new.id, new.customer_id, new.key_id,
      CASE new.kind WHEN 'hold' THEN coalesce(new.call, 'search') ELSE new.kind END,
      CASE new.kind WHEN 'hold' THEN 'open' ELSE 'payment' END, new.credits, new.created_at);
  ELSE
    UPDATE activity SET credits = credits + new.credits, outcome = CASE new.kind
      WHEN 'settle' THEN 'charged' WHEN 'release' THEN 'free' ELSE 'refunded' END
    WHERE id = (SELECT id FROM ledger_entries WHERE request_id = new.request_id AND kind = 'hold');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER activity_of_entries AFTER INSERT ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION note_activity();

CREATE FUNCTION count_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    UPDATE activity_days SET lines = lines - 1, credits = credits - old.credits
    WHERE customer_id = old.customer_id AND day = day_of(old.created_at)
      AND key_id = coalesce(old.key_id, 0) AND kind = old.kind AND outcome = old.outcome;
  END IF;
  INSERT INTO activity_days AS days VALUES (new.customer_id, day_of(new.created_at),
    coalesce(new.key_id, 0), new.kind, new.outcome, 1, new.credits)
  ON CONFLICT (customer_id, day, key_id, kind, outcome) DO UPDATE
    SET lines = days.lines + 1, credits = days.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER activity_counted AFTER INSERT OR UPDATE ON activity
  FOR EACH ROW EXECUTE FUNCTION count_activity();

CREATE FUNCTION count_answers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  customer bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
    WHERE customer_id = old.customer_id;
    UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
    WHERE customer_id = 0;
  ELSE
    -- The customer first, as above: two transactions never wait for each other.
    FOREACH customer IN ARRAY ARRAY[new.customer_id, 0] LOOP
      INSERT INTO stored_answer_totals AS totals VALUES (customer, 1, new.bytes)
      ON CONFLICT (customer_id) DO UPDATE
        SET answers = totals.answers + 1, bytes = totals.bytes + excluded.bytes;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER answers_counted AFTER INSERT OR DELETE ON stored_answers
  FOR EACH ROW EXECUTE FUNCTION count_answers();
`;
