/**
 * Measures searches with filters that keep 50 %, 5 % and 0.5 % of an index. It compares each search with
 * brute force, for which every word is looked up and every paper that the filter allows is compared with
 * the question. Each search is timed beside one without the filter. No filter is the same twice, so none
 * is cached.
 */
import { openStoreForReading } from '../../src/database/open.ts';
import { createTitleReader } from '../../src/index/documents/documents.ts';
import type { SearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { SearchFilter } from '../../src/types.ts';
import { existing, openOptions } from '../measure/databases.ts';
import { count, required } from '../measure/options.ts';
import { say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import {
  depsOf,
  embedQuestions,
  numberedQuestions,
  openFile,
  type Question,
  searchEmbedded,
} from '../measure/searching.ts';
import { meanOf, median, shareOf } from '../measure/statistics.ts';
import { chooseFilters } from './choose-filters.ts';

/** Results and candidates whose recall is measured. */
const RESULTS = 10;
const NEAREST = 50;
/** More than any index has. */
const EVERYTHING = 1e9;
/** Searches before the first that is timed. */
const WARM_UP = 20;

const NO_DOCUMENTS = new Uint32Array(0);

export const measurement = defineMeasurement({
  options: { db: required('the index'), questions: count(200, 'number of questions', 5) },
  async run({ db: path, questions: count }) {
    const db = openStoreForReading(openOptions(existing(path)));
    const titleAt = createTitleReader(db);
    const titles = Array.from({ length: count }, (_, at) => {
      return { id: `title ${at}`, text: titleAt(at / count) ?? '' };
    });
    const asked = [...numberedQuestions(), ...titles].slice(0, count);
    const questions = await embedQuestions(asked);
    const limits = readSettings();
    const postings = { postingsMax: EVERYTHING, filteredPostingsMax: EVERYTHING };
    const unlimited = { ...limits, ...postings, filteredExactMax: EVERYTHING };
    const usual = depsOf(await openFile(path), limits);
    const exact = depsOf(await openFile(path, unlimited), unlimited);
    for (const one of questions.slice(0, WARM_UP)) await idsOf(usual, one);
    const rows: string[][] = [];
    for (const { name, filter } of chooseFilters(db)) {
      say(name);
      rows.push([name, ...(await evaluateFilter(filter, questions, { usual, exact }))]);
    }
    db.close();
    const recalls = [`recall@${RESULTS}`, `dense recall@${NEAREST}`, 'fewest results'];
    const times = ['ms without', 'ms with (p50, without embedding)', 'ratio'];
    const head = ['filter', 'papers', ...recalls, ...times];
    return { report: { head, rows }, shown: [{ head, rows }] };
  },
});

interface Engines {
  usual: SearchDeps;
  exact: SearchDeps;
}

async function evaluateFilter(
  filter: SearchFilter,
  questions: readonly Question[],
  engines: Engines,
): Promise<string[]> {
  const { source, allowedBy } = engines.usual;
  const { count: papers = 0 } = (await source.view((view) => allowedBy(filter, view))) ?? {};
  const recalls: Awaited<ReturnType<typeof recallsOf>>[] = [];
  for (const one of questions) recalls.push(await recallsOf(one, filter, engines));
  const times: [number, number][] = [];
  for (const [at, one] of questions.entries()) {
    times.push(await timesOf(engines.usual, one, freshFilter(filter, at), at % 2 === 0));
  }
  const [without, withFilter] = [
    median(times.map((pair) => pair[0])),
    median(times.map((pair) => pair[1])),
  ];
  return [
    String(papers),
    meanOf(recalls.map(({ results }) => results)).toFixed(3),
    meanOf(recalls.map(({ nearest }) => nearest)).toFixed(3),
    String(Math.min(...recalls.map(({ found }) => found))),
    ...[without.toFixed(2), withFilter.toFixed(2), (withFilter / without).toFixed(2)],
  ];
}

async function idsOf(deps: SearchDeps, question: Question, filter?: SearchFilter) {
  const { answer } = await searchEmbedded(deps, question, { limit: RESULTS, filter });
  return answer.results.map(({ d }) => d);
}

/** The shares of the results, and of the nearest papers, of brute force that a search finds. */
async function recallsOf(question: Question, filter: SearchFilter, { usual, exact }: Engines) {
  const found = await idsOf(usual, question, filter);
  const wanted = await idsOf(exact, question, filter);
  const { denseCandidatesMax: most } = usual.limits;
  const nearestOf = ({ source, allowedBy }: SearchDeps): Promise<number[]> =>
    source.view(async (view) => {
      const { vector } = question.embedding;
      const allowed = await allowedBy(filter, view);
      const { nearest } = await view.nearest({ vector, most, documents: NO_DOCUMENTS, allowed });
      return nearest.map(({ document }) => document);
    });
  const [candidates, near] = [await nearestOf(usual), await nearestOf(exact)];
  const nearest = shareOf(near.slice(0, NEAREST), candidates);
  return { results: shareOf(wanted, found), nearest, found: found.length };
}

/** A venue that no paper has, or a later year, allows no other paper but makes another filter. */
function freshFilter(filter: SearchFilter, at: number): SearchFilter {
  const fresh: SearchFilter = { ...filter };
  if (filter.venues !== undefined) fresh.venues = [...filter.venues, `no such venue ${at}`];
  if (filter.years !== undefined) fresh.years = { ...filter.years, to: 9000 + at };
  return fresh;
}

/** Milliseconds without and with a filter, one after the other. */
async function timesOf(
  deps: SearchDeps,
  question: Question,
  filter: SearchFilter,
  isFirst: boolean,
): Promise<[number, number]> {
  const run = async (one?: SearchFilter): Promise<number> => {
    const started = performance.now();
    await idsOf(deps, question, one);
    return performance.now() - started;
  };
  if (isFirst) return [await run(), await run(filter)];
  const second = await run(filter);
  return [await run(), second];
}
