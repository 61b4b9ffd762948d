/**
 * PubMed, by the files that NLM publishes (pubmed.ncbi.nlm.nih.gov/download): each winter a baseline of
 * all records, then files of what changed. Both are numbered through, such as pubmed26n1335.xml.gz.
 */
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import {
  type Fetched,
  NotFound,
  type ProviderDeps,
  type SourceProvider,
  type Step,
} from '../ports/provider.ts';
import type { Position, SourceQuery } from '../ports/source.ts';

const ADDRESS = 'https://ftp.ncbi.nlm.nih.gov/pubmed/';
/** In 2026. Each of the 1,300 files comes with its MD5. */
const ABOUT = { records: 38_000_000, requests: 2 * 1_300, bytes: 50e9 };
/** Times that the listing is read anew because it was incomplete, or a listed file was gone. */
const RELISTINGS_MAX = 1;

interface PubmedPosition extends Position {
  /** The two digits of the baseline. */
  year: string;
  /** The number of the last file that was indexed. */
  done: number;
  /** The number of files of the baseline. */
  baselineFiles: number;
  /** Whether the baseline replaces the one of an earlier year. */
  isReplacing?: boolean;
}

/** The numbers of the files of one year, ascending. */
interface Listing {
  year: string;
  baseline: number[];
  updates: number[];
}

export const pubmedProvider: SourceProvider = {
  name: 'pubmed',
  description: 'PubMed: the baseline of all records, then the files of what changed',
  takes: [],
  pace: () => ({ subject: 'pubmed', gap: 'sourceGapMs' }),
  addressOf: () => ADDRESS,
  subjectOf: () => '',
  describe: () => ({
    method: 'the files of the baseline with their MD5, then those of what changed',
    license:
      'courtesy of the U.S. National Library of Medicine ' +
      '(nlm.nih.gov/databases/download/terms_and_conditions.html)',
    size: ABOUT,
  }),
  steps,
};

async function* steps(
  query: SourceQuery,
  position: PubmedPosition | undefined,
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  let before = position;
  for (let relistings = 0; ; relistings++) {
    try {
      for await (const step of listedSteps(query, before, deps)) {
        yield step;
        before = step.next as PubmedPosition;
      }
      return;
    } catch (error) {
      if (!(error instanceof NotFound) || relistings === RELISTINGS_MAX) throw error;
    }
  }
}

async function* listedSteps(
  query: SourceQuery,
  before: PubmedPosition | undefined,
  deps: ProviderDeps,
): AsyncGenerator<Step, void> {
  const listing = await list(query, deps);
  const { year, baseline, updates } = listing;
  const baselineFiles = baseline.length;
  let at: PubmedPosition = before ?? { year, done: 0, baselineFiles };
  if (at.year !== year || at.done < at.baselineFiles) assertComplete(listing, at);
  if (at.year !== year) {
    at = { year, done: 0, baselineFiles, isReplacing: true };
    yield { list: 'start', next: at };
  }
  const { isReplacing: isOfList = false } = at;
  const total = updates.at(-1) ?? baselineFiles;
  const fetchNew = async function* (
    folder: string,
    numbers: readonly number[],
  ): AsyncGenerator<Step, void> {
    for (const number of numbers.filter((each) => each > at.done)) {
      const name = `${folder}/pubmed${year}n${String(number).padStart(4, '0')}.xml.gz`;
      if (number > at.done + 1) {
        throw new NotFound(`PubMed lists ${name}, but not the one before`);
      }
      const { path, bytes } = await fetchFile(new URL(name, baseOf(query)), deps);
      at = { ...at, done: number };
      const progress = { done: number, total, unit: 'parts' as const };
      const mayDelete = folder === 'updatefiles';
      yield { part: { name, path, bytes, format: 'pubmed', mayDelete, progress }, next: at };
    }
  };
  for await (const step of fetchNew('baseline', baseline))
    yield { ...step, ...(isOfList ? { list: 'part' as const } : {}) };
  if (isOfList) {
    at = { year, done: at.done, baselineFiles };
    yield { list: 'end', next: at };
  }
  yield* fetchNew('updatefiles', updates);
}

/** Throws unless all files of a baseline are there: one that is still being published has fewer. */
function assertComplete({ year, baseline, updates }: Listing, before: PubmedPosition): void {
  if (Number(year) < Number(before.year)) {
    throw new LaneFailure('bad_answer', `PubMed lists the baseline of 20${year}, an earlier one`);
  }
  const files = baseline.length;
  // PubMed grows, and update files are numbered on from the baseline.
  const isWhole = updates.length > 0 ? updates[0] === files + 1 : files >= before.baselineFiles;
  if (baseline.at(-1) === files && isWhole) return;
  throw new NotFound(`PubMed's baseline of 20${year} is incomplete now`);
}

/** Lists the newest year. Before its first update files, those of the year before are still there. */
async function list(query: SourceQuery, deps: ProviderDeps): Promise<Listing> {
  const baselines = await listFolder('baseline', query, deps);
  const updates = await listFolder('updatefiles', query, deps);
  const year = baselines.at(-1)?.slice(0, 2);
  if (year === undefined) throw new NotFound('PubMed lists no baseline');
  const numbersIn = (files: readonly string[]): number[] =>
    files.filter((file) => file.startsWith(year)).map((file) => Number(file.slice(3)));
  const baseline = numbersIn(baselines);
  return { year, baseline, updates: numbersIn(updates).filter((each) => each > baseline.length) };
}

/** The files whose MD5 is published, too, such as 26n0001, ascending. */
async function listFolder(
  folder: string,
  query: SourceQuery,
  { fetcher }: ProviderDeps,
): Promise<string[]> {
  const { page } = await fetcher.fetchPage(
    { url: new URL(`${folder}/`, baseOf(query)) },
    (text) => {
      const links = text.matchAll(/href="(?:[^"]*\/)?pubmed(\d\dn\d{4,})\.xml\.gz\.md5"/g);
      const files = [...links].map(([, name]) => name as string);
      if (files.length > 0 || /index of|directory listing/i.test(text)) return files;
      throw new LaneFailure('bad_answer', `the response is no listing of ${folder}`);
    },
  );
  return [...new Set(page)].sort();
}

/** Rejects with NotFound if the file is gone. Fetches it again if its MD5 differs. */
async function fetchFile(url: URL, { fetcher }: ProviderDeps): Promise<Fetched> {
  const name = url.pathname.replace(/.*\//, '');
  const { page: expected } = await fetcher.fetchPage(
    { url: new URL(`${url.href}.md5`) },
    (text) => {
      const sum = md5In(text);
      if (sum !== '') return sum;
      throw new LaneFailure('bad_answer', `${name}.md5 has no MD5`);
    },
  );
  return fetcher.fetch(
    { url },
    {
      check({ md5 }) {
        if (md5 === expected) return;
        throw new LaneFailure('bad_answer', `the MD5 of ${name} differs from what PubMed says`);
      },
    },
  );
}

/** `MD5(pubmed26n0001.xml.gz)= d41d…`, or as md5sum writes it: the sum, then the name. */
function md5In(text: string): string {
  const found = /^MD5 ?\([^)]*\) ?= ?([0-9a-f]{32})\s*$|^([0-9a-f]{32})(?:\s+\S+)?\s*$/i.exec(text);
  return (found?.[1] ?? found?.[2] ?? '').toLowerCase();
}

function baseOf({ url }: SourceQuery): string {
  return url.endsWith('/') ? url : `${url}/`;
}
