/**
 * Measures the verification of quotes on quotes that it makes from the index itself.
 *
 *   npm run evaluate:quotes -- --db FILE [--count N] [--wrong N]
 *
 * It prints how often each kind got each verdict, and how often `exact` was false: the named paper,
 * or the paper that was found, does not have the quote's words in this order.
 */
import { parseArgs } from 'node:util';
import { openStoreForReading } from '../../src/database/open.ts';
import { VerbatimError } from '../../src/errors.ts';
import { createDocumentReader, createTitleReader } from '../../src/index/documents/documents.ts';
import { createTitleLookup } from '../../src/index/documents/title-index.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type OpenVerify, openVerify } from '../../src/verify/open-verify.ts';
import type { QuoteResult } from '../../src/verify/quotes/verify-quote.ts';
import { runMain } from '../bench/run-main.ts';
import { groupBy } from './entries.ts';
import { printTable } from './print-table.ts';
import { type Abstract, type MadeQuote, makeQuotes } from './quotes.ts';

/** Abstracts that quotes are made from. */
const ABSTRACTS = 3_000;
const VERDICTS = ['exact', 'near', 'elsewhere', 'not_found', 'not_indexed', 'unreadable'];
/** Kinds whose words stand in the named paper just so. */
const INTACT = ['intact', 'typeset anew', 'without an id'];

await runMain('evaluate:quotes', async () => {
  const { values } = parseArgs({
    options: {
      db: { type: 'string' },
      count: { type: 'string', default: '5000' },
      wrong: { type: 'string', default: '0' },
    },
  });
  if (values.db === undefined) {
    const usage = 'usage: npm run evaluate:quotes -- --db FILE [--count N] [--wrong N]';
    throw new VerbatimError('usage', usage);
  }
  await evaluate(values.db, Number(values.count), Number(values.wrong));
});

async function evaluate(path: string, count: number, wrongMax: number): Promise<void> {
  const store = { path, lockWaitMs: 1000 };
  const { abstracts, titles } = readSample(path);
  const quotes = makeQuotes(abstracts, count);
  const opened = await openVerify({ store, limits: readSettings({}, {}) });
  const judged: { made: MadeQuote; result: QuoteResult }[] = [];
  const times: number[] = [];
  for (const made of quotes) {
    const { quote, id } = made;
    const startedMs = performance.now();
    const [result] = await opened.verify([id === '' ? { quote } : { quote, id }]);
    times.push(performance.now() - startedMs);
    judged.push({ made, result: result as QuoteResult });
  }
  const byKind = [...groupBy(judged, ({ made }) => made.kind)];
  printTable(
    ['kind', 'quotes', ...VERDICTS],
    byKind.map(([kind, all]) => [
      kind,
      String(all.length),
      ...VERDICTS.map((verdict) =>
        String(all.filter(({ result }) => result.verdict === verdict).length),
      ),
    ]),
  );
  const falseExact = judged.filter(
    ({ made, result }) => result.verdict === 'exact' && !INTACT.includes(made.kind),
  );
  const missed = judged.filter(
    ({ made, result }) => result.verdict !== 'exact' && INTACT.includes(made.kind),
  );
  console.log(
    `\n${quotes.length} quotes, false "exact": ${falseExact.length}, intact and not exact: ${missed.length}`,
  );
  console.log(`a quote: ${percentile(times, 0.5)} ms p50, ${percentile(times, 0.99)} ms p99`);
  for (const each of [...falseExact, ...missed].slice(0, wrongMax))
    console.log(JSON.stringify(each));
  await measureTitles(opened, titles);
  await opened.close();
  measureLookUps(path, titles);
}

/** References by title alone. */
async function measureTitles(opened: OpenVerify, titles: readonly string[]): Promise<void> {
  const times: number[] = [];
  for (const title of titles) {
    const startedMs = performance.now();
    await opened.verify([{ reference: { title } }]);
    times.push(performance.now() - startedMs);
  }
  console.log(
    `a reference by title: ${percentile(times, 0.5)} ms p50, ${percentile(times, 0.99)} ms p99`,
  );
}

function measureLookUps(path: string, titles: readonly string[]): void {
  const db = openStoreForReading({ path, lockWaitMs: 1000 });
  const find = createTitleLookup(db);
  const times = titles.map((title) => {
    const startedMs = performance.now();
    find(title, 12);
    return performance.now() - startedMs;
  });
  db.close();
  console.log(
    `its look-up in the title index: ${percentile(times, 0.5)} ms p50, ${percentile(times, 0.99)} ms p99`,
  );
}

function readSample(path: string): { abstracts: Abstract[]; titles: string[] } {
  const db = openStoreForReading({ path, lockWaitMs: 1000 });
  const titleAt = createTitleReader(db);
  const find = createTitleLookup(db);
  const documents = createDocumentReader(db);
  const titles = Array.from({ length: ABSTRACTS }, (_, at) => titleAt(at / ABSTRACTS) ?? '');
  const numbers = new Set(titles.flatMap((title) => find(title, 1)));
  const abstracts = [...numbers].map((number) => {
    const { id, abstract, spans } = documents.readUnchecked(number);
    return { id, sentences: spans.map(({ start, end }) => abstract.slice(start, end)) };
  });
  db.close();
  return { abstracts, titles };
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  return (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(2);
}
