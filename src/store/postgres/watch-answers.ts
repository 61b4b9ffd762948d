/**
 * Notices that PostgreSQL is silent. If packets to it are lost, nobody is told: a statement would wait
 * for minutes, until TCP gives up.
 */
import pg from 'pg';
import { every } from '../../workers/every.ts';
import { resetConnection } from './reset-connection.ts';

export interface WatchOptions {
  url: string;
  /** The time between two questions. */
  intervalMs: number;
  /** The longest that an answer may take. */
  silenceMs: number;
  /** Called after each question without an answer. */
  onSilence: () => void;
}

/** Asks at intervals, on a connection of its own. Returns the function that stops it. */
export function watchAnswers({ url, intervalMs, silenceMs, onSilence }: WatchOptions) {
  let client: pg.Client | undefined;
  const end = (): void => {
    if (client) resetConnection(client);
    client = undefined;
  };
  const ask = async (): Promise<void> => {
    if (client === undefined) {
      client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: silenceMs,
        query_timeout: silenceMs,
        application_name: 'verbatim',
      });
      // A connection that ends is noticed with the next question.
      client.on('error', () => {});
      await client.connect();
    }
    await client.query('SELECT 1');
  };
  const stop = every(intervalMs, () =>
    ask().catch(() => {
      end();
      onSilence();
    }),
  );
  return (): void => {
    stop();
    end();
  };
}
