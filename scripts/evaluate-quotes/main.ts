/**
 * Measures the verification of quotes on quotes that it makes from the index itself, intact and changed in
 * known ways: how often each got each verdict, how often the kind of a change is named, and how long a quote
 * and a reference take.
 */
import { openStoreForReading } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createDocumentReader, createTitleReader } from '../../src/index/documents/documents.ts';
import { createTitleLookup } from '../../src/index/documents/title-index.ts';
import { readSettings } from '../../src/settings/config.ts';
import { openVerify } from '../../src/verify/open-verify.ts';
import type { QuoteResult } from '../../src/verify/quotes/verify-quote.ts';
import { existing, openOptions } from '../measure/databases.ts';
import { count, required } from '../measure/options.ts';
import { ms } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { quantile } from '../measure/statistics.ts';
import type { Abstract } from './alter-quote.ts';
import { judgeQuotes, precisionOf, recallHead, recallOf, wrongOf } from './measure-kinds.ts';

/** Abstracts that quotes are made from. */
const ABSTRACTS = 3_000;

export const measurement = defineMeasurement({
  options: {
    db: required('the index'),
    count: count(9_000, 'number of quotes, as many in each way', 54),
    wrong: count(0, 'print so many wrong verdicts'),
  },
  async run(values) {
    const store = openOptions(existing(values.db));
    const db = openStoreForReading(store);
    const { abstracts, titles } = readSample(db);
    const { verify, close } = await openVerify({ store, limits: readSettings({}, {}) });
    const [quoteMs, titleMs]: [number[], number[]] = [[], []];
    const timed = async (times: number[], ...items: Parameters<typeof verify>[0]) => {
      const startedMs = performance.now();
      const [result] = await verify(items);
      times.push(performance.now() - startedMs);
      return result as QuoteResult;
    };
    const judged = await judgeQuotes(abstracts, values.count, (item) => timed(quoteMs, item));
    for (const title of titles) await timed(titleMs, { reference: { title } });
    await close();
    db.close();
    const [made, named, wrong] = [recallOf(judged), precisionOf(judged), wrongOf(judged)];
    const timesOf = (times: readonly number[]): string =>
      `${ms(quantile(times, 0.5))} p50, ${ms(quantile(times, 0.99))} p99`;
    return {
      report: { made, named, wrong: wrong.length },
      shown: [
        { head: recallHead, rows: made },
        { head: ['kind named', 'quotes', 'true'], rows: named },
        `\na quote: ${timesOf(quoteMs)}`,
        `a reference by title: ${timesOf(titleMs)}`,
        ...wrong.slice(0, values.wrong).map((each) => JSON.stringify(each)),
      ],
    };
  },
});

function readSample(db: Connection): { abstracts: Abstract[]; titles: string[] } {
  const titleAt = createTitleReader(db);
  const find = createTitleLookup(db);
  const documents = createDocumentReader(db);
  const titles = Array.from({ length: ABSTRACTS }, (_, at) => titleAt(at / ABSTRACTS) ?? '');
  const numbers = new Set(titles.flatMap((title) => find(title, 1)));
  const abstracts = [...numbers].map((number) => {
    const { id, abstract, spans } = documents.readUnchecked(number);
    return { id, sentences: spans.map(({ start, end }) => abstract.slice(start, end)) };
  });
  return { abstracts, titles };
}
