/**
 * Measures searches with filters that keep 50 %, 5 % and 0.5 % of an index.
 *
 *   npm run evaluate:filters -- --db FILE [--questions N]
 *
 * It compares each search with brute force, for which every word is looked up and every paper that
 * the filter allows is compared with the question. Each search is timed beside one without the
 * filter. No filter is the same twice, so none is cached.
 */
import { parseArgs } from 'node:util';
import { openStoreForReading } from '../../src/database/open.ts';
import { createTitleReader } from '../../src/index/documents/documents.ts';
import { assertModel } from '../../src/index/index-facts.ts';
import { openSource } from '../../src/index/open/open-source.ts';
import { createSearchDeps, retrieve, type SearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';
import type { SearchFilter } from '../../src/types.ts';
import { openOptions } from '../bench/index-access.ts';
import questionsText from '../bench/questions.txt';
import { printTable } from '../evaluate-references/print-table.ts';
import { chooseFilters } from './choose-filters.ts';

/** Results and candidates whose recall is measured. */
const RESULTS = 10;
const NEAREST = 50;
/** More than any index has. */
const EVERYTHING = 1e9;
/** Searches before the first that is timed. */
const WARM_UP = 20;

const NO_DOCUMENTS = new Uint32Array(0);

interface Question {
  query: string;
  embedding: QueryEmbedding;
}

const { values: options } = parseArgs({
  options: { db: { type: 'string' }, questions: { type: 'string', default: '200' } },
});
if (options.db === undefined) {
  console.error('usage: npm run evaluate:filters -- --db FILE [--questions N]');
  process.exit(2);
}
await evaluate(options.db, Number(options.questions));

async function evaluate(path: string, count: number): Promise<void> {
  const settings = readSettings();
  const model = loadModel(settings.model);
  const embedder = await createEmbedder(model.queryEncoder);
  const db = openStoreForReading(openOptions(path));
  assertModel(db, model);
  const titleAt = createTitleReader(db);
  const asked = questionsText.split('\n').filter((line: string) => line.trim() !== '');
  const titles = Array.from({ length: count }, (_, i) => titleAt(i / count) ?? '');
  const questions: Question[] = [];
  for (const query of [...asked, ...titles].slice(0, count)) {
    questions.push({ query, embedding: await embedder.embedQuery(query) });
  }
  const unlimited = {
    ...settings,
    postingsMax: EVERYTHING,
    filteredPostingsMax: EVERYTHING,
    filteredExactMax: EVERYTHING,
  };
  const { queryEncoder } = model;
  const depsWith = async (limits: typeof settings): Promise<SearchDeps> => {
    const source = await openSource({ store: openOptions(path), limits }, model);
    return createSearchDeps(source, queryEncoder, limits, readTermEmbeddings(queryEncoder));
  };
  const [usual, exact] = [await depsWith(settings), await depsWith(unlimited)];
  for (const one of questions.slice(0, WARM_UP)) await searchWith(usual, one);
  const rows: string[][] = [];
  for (const { name, filter } of chooseFilters(db)) {
    const { count: papers = 0 } =
      (await usual.source.view((view) => usual.allowedBy(filter, view))) ?? {};
    const recalls: Awaited<ReturnType<typeof recallsOf>>[] = [];
    for (const one of questions) recalls.push(await recallsOf(one, filter, { usual, exact }));
    const times: number[][] = [];
    for (const [at, one] of questions.entries()) {
      times.push(await timesOf(usual, one, { filter, at }));
    }
    const [without, withFilter] = [0, 1].map((side) =>
      median(times.map((pair) => pair[side] ?? 0)),
    );
    rows.push([
      ...[name, String(papers)],
      ...[mean(recalls.map(({ results }) => results)), mean(recalls.map(({ nearest }) => nearest))],
      `${Math.min(...recalls.map(({ found }) => found))}`,
      ...[without ?? 0, withFilter ?? 0].map((time) => time.toFixed(2)),
      ((withFilter ?? 0) / (without ?? 1)).toFixed(2),
    ]);
  }
  printTable(
    [
      ...['filter', 'papers', `recall@${RESULTS}`, `dense recall@${NEAREST}`, 'fewest results'],
      ...['ms without', 'ms with (p50, without embedding)', 'ratio'],
    ],
    rows,
  );
  db.close();
}

async function searchWith(deps: SearchDeps, { query, embedding }: Question, filter?: SearchFilter) {
  const request = { query, limit: RESULTS, withAbstract: false };
  const { answer } = await retrieve(filter ? { ...request, filter } : request, embedding, deps);
  return answer.results.map(({ d }) => d);
}

/** The shares of the results, and of the nearest papers, of brute force that a search finds. */
async function recallsOf(
  question: Question,
  filter: SearchFilter,
  { usual, exact }: { usual: SearchDeps; exact: SearchDeps },
): Promise<{ results: number; nearest: number; found: number }> {
  const found = await searchWith(usual, question, filter);
  const wanted = await searchWith(exact, question, filter);
  const { denseCandidatesMax: most } = usual.limits;
  const nearestOf = ({ source, allowedBy }: SearchDeps): Promise<number[]> =>
    source.view(async (view) => {
      const { vector } = question.embedding;
      const allowed = await allowedBy(filter, view);
      const { nearest } = await view.nearest({ vector, most, documents: NO_DOCUMENTS, allowed });
      return nearest.map(({ document }) => document);
    });
  const [candidates, near] = [await nearestOf(usual), await nearestOf(exact)];
  return {
    results: shareOf(wanted, found),
    nearest: shareOf(near.slice(0, NEAREST), candidates),
    found: found.length,
  };
}

/** Milliseconds without and with a filter, one after the other, in turns first. */
async function timesOf(
  deps: SearchDeps,
  question: Question,
  { filter, at }: { filter: SearchFilter; at: number },
): Promise<number[]> {
  // A venue that no paper has, or a later year, allows no other paper but makes another filter.
  const fresh: SearchFilter = { ...filter };
  if (filter.venues !== undefined) fresh.venues = [...filter.venues, `no such venue ${at}`];
  if (filter.years !== undefined) fresh.years = { ...filter.years, to: 9000 + at };
  const run = async (one?: SearchFilter): Promise<number> => {
    const started = performance.now();
    await searchWith(deps, question, one);
    return performance.now() - started;
  };
  if (at % 2 === 0) return [await run(), await run(fresh)];
  const second = await run(fresh);
  return [await run(), second];
}

function shareOf(wanted: readonly unknown[], found: readonly unknown[]): number {
  if (wanted.length === 0) return 1;
  return wanted.filter((one) => found.includes(one)).length / wanted.length;
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
