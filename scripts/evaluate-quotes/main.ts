/**
 * Measures the verification of quotes on quotes that it makes from the index itself: how often each kind
 * got each verdict, and how often `exact` was false, because the named paper, or the paper that was found,
 * does not have the quote's words in this order. Then how often the kind of a change is named, of quotes
 * that were changed in one way each.
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
import { defineMeasurement } from '../measure/run.ts';
import { groupBy, quantile } from '../measure/statistics.ts';
import { measureKinds } from './measure-kinds.ts';
import { type Abstract, type MadeQuote, makeQuotes } from './quotes.ts';

/** Abstracts that quotes are made from. */
const ABSTRACTS = 3_000;
const VERDICTS = ['exact', 'near', 'elsewhere', 'not_found', 'not_indexed', 'unreadable'];
/** Kinds whose words stand in the named paper just so. */
const INTACT = ['intact', 'typeset anew', 'without an id'];

export const measurement = defineMeasurement({
  options: {
    db: required('the index'),
    count: count(5_000, 'number of quotes', 50),
    altered: count(3_000, 'number of quotes changed in one way each', 45),
    wrong: count(0, 'print so many wrong verdicts'),
  },
  async run(values) {
    const store = openOptions(existing(values.db));
    const db = openStoreForReading(store);
    const { abstracts, titles } = readSample(db);
    const quotes = makeQuotes(abstracts, values.count);
    const opened = await openVerify({ store, limits: readSettings({}, {}) });
    const judged: { made: MadeQuote; result: QuoteResult }[] = [];
    const ofQuotes = await timesOf(quotes, async (made) => {
      const { quote, id } = made;
      const [result] = await opened.verify([id === '' ? { quote } : { quote, id }]);
      judged.push({ made, result: result as QuoteResult });
    });
    const kinds = await measureKinds(abstracts, values.altered, async (item) => {
      const [result] = await opened.verify([item]);
      return result as QuoteResult;
    });
    const find = createTitleLookup(db);
    const ofTitles = await timesOf(titles, (title) => opened.verify([{ reference: { title } }]));
    const ofLookUps = await timesOf(titles, async (title) => find(title, 12));
    await opened.close();
    db.close();
    const byKind = [...groupBy(judged, ({ made }) => made.kind)];
    const rows = byKind.map(([kind, all]) => {
      const counts = VERDICTS.map((name) => all.filter(({ result }) => result.verdict === name));
      return [kind, all.length, ...counts.map(({ length }) => length)];
    });
    const isIntact = (one: (typeof judged)[number]): boolean => INTACT.includes(one.made.kind);
    const isExact = ({ result }: (typeof judged)[number]): boolean => result.verdict === 'exact';
    const falseExact = judged.filter((one) => isExact(one) && !isIntact(one));
    const missed = judged.filter((one) => !isExact(one) && isIntact(one));
    const counted = `false "exact": ${falseExact.length}, intact and not exact: ${missed.length}`;
    return {
      report: { rows, falseExact: falseExact.length, missed: missed.length, kinds },
      shown: [
        { head: ['kind', 'quotes', ...VERDICTS], rows },
        { head: ['change', 'quotes', 'exact', 'near', 'named'], rows: kinds.recall },
        { head: ['kind named', 'quotes', 'true'], rows: kinds.precision },
        `\n${quotes.length} quotes, ${counted}`,
        `a quote: ${ofQuotes}`,
        `a reference by title: ${ofTitles}`,
        `its look-up in the title index: ${ofLookUps}`,
        ...[...falseExact, ...missed, ...kinds.wrong]
          .slice(0, values.wrong)
          .map((each) => JSON.stringify(each)),
      ],
    };
  },
});

async function timesOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<string> {
  const times: number[] = [];
  for (const item of items) {
    const startedMs = performance.now();
    await work(item);
    times.push(performance.now() - startedMs);
  }
  return `${quantile(times, 0.5).toFixed(2)} ms p50, ${quantile(times, 0.99).toFixed(2)} ms p99`;
}

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
