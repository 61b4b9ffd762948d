/**
 * Notices that PostgreSQL is silent. If packets to it are lost, nobody is told: a statement would wait
 * for minutes, until TCP gives up.
 */
import pg from 'pg';
import { resetConnection } from '../../database/postgres/reset-connection.ts';

export interface AnswerCheck {
  /** Asks on a connection of its own. Resolves to whether there was an answer in time. */
  ask(): Promise<boolean>;
  /** Ends the connection. */
  end(): void;
}

export function createAnswerCheck(input: { url: string; silenceMs: number }): AnswerCheck {
  const { url, silenceMs } = input;
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
  return {
    ask: () =>
      within(silenceMs, ask()).then(
        () => true,
        () => {
          end();
          return false;
        },
      ),
    end,
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
