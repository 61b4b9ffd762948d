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
export function watchAnswers({ url, intervalMs, silenceMs, onSilence }: WatchOptions): () => void {
  let client: pg.Client | undefined;
  const end = (): void => {
    if (client) resetConnection(client);
    client = undefined;
  };
  const ask = async (): Promise<void> => {
    if (client === undefined) {
      client = new pg.Client({ connectionString: url, application_name: 'verbatim' });
      // A connection that ends is noticed with the next question.
      client.on('error', () => {});
      await client.connect();
    }
    await client.query('SELECT 1');
  };
  const stop = every(intervalMs, () =>
    within(silenceMs, ask()).catch(() => {
      end();
      onSilence();
    }),
  );
  return (): void => {
    stop();
    end();
  };
}

/**
 * Rejects if the work takes too long. An answer that arrived while this thread did something else is in
 * time: it is read before the callbacks of `setImmediate`.
 */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => setImmediate(() => reject(new Error('no answer in time'))),
      milliseconds,
    );
    timer.unref();
  });
  // Whichever comes later fails unheard.
  work.catch(() => {});
  await Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
