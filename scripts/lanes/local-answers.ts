/** Local answers while lanes hang. */
import { createRandom } from '../measure/random.ts';
import { sampleTitles } from '../measure/sample.ts';
import { median, quantile } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { addAsking, askOn, drawOutOfDomainQuestion } from './customers.ts';
import { openScene } from './scenario.ts';
import { always } from './stubs.ts';

/** Customers who wait for hanging lanes while local answers are timed. */
const HANGING_CUSTOMERS = 24;

export type LocalTimes = Awaited<ReturnType<typeof timeLocalAnswers>>;

/** Times local answers while the server is idle, and while other searches wait for hanging lanes. */
export async function timeLocalAnswers(
  index: string,
  database: string,
  options: Record<'localSeconds' | 'seed' | 'requestTimeoutMs', number>,
) {
  const { localSeconds, seed, requestTimeoutMs } = options;
  const { stubs, server, close } = await openScene({
    index,
    database,
    requestTimeoutMs,
    drawOf: () => always('hanging'),
    // If the circuit breaker opened, no search would wait.
    limits: { laneFailuresMax: 1_000_000 },
  });
  const { port } = server;
  const [timed = '', ...waiting] = addAsking(database, 1 + HANGING_CUSTOMERS, 'local');
  const titles = sampleTitles();
  let asked = 0;
  const ask = async (seconds: number): Promise<number[]> => {
    const end = performance.now() + seconds * 1_000;
    const nextQuestion = (): string => titles[asked++ % titles.length] as string;
    const goOn = (): boolean => performance.now() < end;
    const answered = await askOn({ port, secret: timed }, { nextQuestion, goOn });
    return answered.map(({ milliseconds }) => milliseconds);
  };
  await ask(localSeconds / 4);
  const before = await ask(localSeconds / 2);
  let isOver = false;
  const random = createRandom(`${seed} hanging`);
  // A search immediately skips lanes that cannot respond in time. Without an interval, these
  // customers would keep the server busy instead of waiting.
  const pace = {
    nextQuestion: () => drawOutOfDomainQuestion(random),
    goOn: () => !isOver,
    everyMs: requestTimeoutMs,
  };
  const hanging = waiting.map((secret) => askOn({ port, secret }, pace));
  await until('a lane hangs', () => (stubs.counts.hanging ?? 0) > 0);
  const withHanging = await ask(localSeconds);
  isOver = true;
  await Promise.all(hanging);
  // Measured before and after, because the load of a shared machine changes within a minute.
  const quiet = [...before, ...(await ask(localSeconds / 2))];
  await close();
  const [quietMs, hangingMs] = [median(quiet), median(withHanging)];
  const p95Ratio = quantile(withHanging, 0.95) / quantile(quiet, 0.95);
  return { quietMs, hangingMs, ratio: hangingMs / quietMs, p95Ratio };
}
