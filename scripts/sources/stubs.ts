/** Sources with stubs of their providers, generated papers, and what changes between two runs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startArxivOai } from '../../test/sources/stubs/arxiv-oai-stub.ts';
import { startCrossref } from '../../test/sources/stubs/crossref-stub.ts';
import { startOpenalex } from '../../test/sources/stubs/openalex-stub.ts';
import { startPubmed } from '../../test/sources/stubs/pubmed-stub.ts';
import { type StubServer, startStub } from '../../test/support/lanes/stub-server.ts';

/** In the title or the abstract of the paper that changes. */
export const REVISED = 'revised';
/** Pages or files of a first run, at most. */
const PARTS = 6;
/** The change fits on a page, whatever the number of papers. */
const PAGE_MIN = 4;
const [EARLY, LATE, LATER] = ['2024-02-01', '2099-01-01', '2099-01-02'];

export interface StubbedSource {
  /** The arguments of `source add`. */
  args: readonly string[];
  /** Settings of the program. */
  env?: Record<string, string>;
  /** Undefined for a folder. */
  stub?: StubServer;
  /** Changes paper 0, deletes or retracts paper 1, and adds one. */
  change: () => void;
  /** Requests that fetch the change, that find nothing new, and that a killed run repeats at most. */
  requests: readonly [update: number, idle: number, repeated: number];
}

/** Each starts a source of so many papers. A folder is made at the path. */
export const sources = {
  async arxiv(papers) {
    const record = (number: number, changed: string) => {
      return { id: `2401.${10_000 + number}`, ...paperOf(number, changed), changed };
    };
    const records = numbersTo(papers).map((number) => record(number, EARLY));
    const stub = await startArxivOai(records, { perPage: pageOf(papers) });
    const change = (): void => {
      stub.today = LATER;
      const gone = { ...record(1, LATE), isDeleted: true };
      stub.records = [...records.slice(2), record(0, LATE), gone, record(papers, LATE)];
    };
    const args = ['arxiv', '--set', 'cs', '--url', `${stub.url}/oai`];
    return { args, stub, change, requests: [1, 1, 1] };
  },

  async 'openalex-api'(papers) {
    const works = numbersTo(papers).map((number) => workOf(number, EARLY));
    const stub = await startOpenalex(works, pageOf(papers));
    const change = (): void => {
      const retracted = { ...workOf(1, LATE), isRetracted: true };
      stub.works = [...works.slice(2), workOf(0, LATE), retracted, workOf(papers, LATE)];
    };
    const env = { VERBATIM_OPENALEX_URL: stub.url, VERBATIM_OPENALEX_KEY: stub.paidKey };
    const args = ['openalex', '--filter', 'topics.id:T1'];
    return { args, env, stub, change, requests: [1, 1, 1] };
  },

  async 'openalex-snapshot'(papers) {
    const stub = await startOpenalex([]);
    const works = numbersTo(papers).map((number) => workOf(number, EARLY));
    const half = Math.ceil(papers / 2);
    stub.days = { [EARLY]: [works.slice(0, half)], '2024-03-01': [works.slice(half)] };
    stub.deleted = [];
    const change = (): void => {
      stub.days[EARLY] = [works.slice(2, half)];
      stub.days[LATE] = [[workOf(0, LATE), workOf(papers, LATE)]];
      stub.deleted = [['W1', LATE]];
    };
    // The manifest is read before and after the files.
    return { args: ['openalex', '--url', stub.url], stub, change, requests: [4, 1, 2] };
  },

  async pubmed(papers) {
    const stub = await startPubmed();
    const files = partsOf(numbersTo(papers).map((number) => number + 1));
    stub.publish('26', files, []);
    const change = (): void => {
      stub.titles.set(1, `A study of tides, ${REVISED}.`);
      stub.files.set(`updatefiles/pubmed26n000${PARTS + 1}.xml.gz`, [1, -2, papers + 1]);
    };
    // Two listings, and each file with its MD5.
    return { args: ['pubmed', '--url', `${stub.url}/pubmed`], stub, change, requests: [4, 2, 4] };
  },

  async crossref(papers) {
    const stub = await startCrossref(pageOf(papers));
    const work = (number: number, updated: string) => {
      const { abstract } = paperOf(number, updated);
      return { doi: `10.5555/p${number}`, abstract, created: EARLY, updated };
    };
    const works = numbersTo(papers).map((number) => work(number, EARLY));
    stub.works = works;
    const change = (): void => {
      const updates = { doi: '10.5555/p1', type: 'retraction' as const };
      const notice = { doi: '10.5555/notice', created: EARLY, updated: LATE, updates };
      stub.works = [work(0, LATE), ...works.slice(1), work(papers, LATE), notice];
    };
    // Works and notices. A listing that breaks off starts over.
    return { args: ['crossref', '--url', stub.url], stub, change, requests: [2, 2, PARTS] };
  },

  async address(papers) {
    let [etag, body] = ['"1"', linesOf(numbersTo(papers), EARLY)];
    const stub = await startStub(({ headers }) =>
      headers['if-none-match'] === etag ? { status: 304 } : { headers: { etag }, body },
    );
    const change = (): void => {
      [etag, body] = ['"2"', linesOf(numbersWithoutOne(papers), LATE)];
    };
    return { args: [`${stub.url}/papers.jsonl`], stub, change, requests: [1, 1, 1] };
  },

  async folder(papers, path) {
    mkdirSync(path);
    const write = (numbers: readonly number[], day: string): void => {
      for (const [at, part] of partsOf(numbers).entries()) {
        writeFileSync(join(path, `${at}.jsonl`), linesOf(part, day));
      }
    };
    write(numbersTo(papers), EARLY);
    const change = () => write(numbersWithoutOne(papers), LATE);
    return { args: [path], change, requests: [0, 0, 0] };
  },
} as const satisfies Record<string, (papers: number, path: string) => Promise<StubbedSource>>;

function numbersTo(end: number): number[] {
  return Array.from({ length: end }, (_, number) => number);
}

function numbersWithoutOne(last: number): number[] {
  return numbersTo(last + 1).filter((number) => number !== 1);
}

function pageOf(papers: number): number {
  return Math.max(PAGE_MIN, Math.ceil(papers / PARTS));
}

function partsOf(numbers: readonly number[]): number[][] {
  const size = Math.ceil(numbers.length / PARTS);
  return numbersTo(PARTS).map((part) => numbers.slice(part * size, (part + 1) * size));
}

function paperOf(number: number, day: string) {
  const what = number === 0 && day === LATE ? `, ${REVISED}` : '';
  const title = `A study of tides on the coast of island number ${number}`;
  return { title, abstract: `We measured the tide${what}.` };
}

/** The stub writes its abstract. */
function workOf(number: number, updated: string) {
  const { title, abstract } = paperOf(number, updated);
  return { id: `W${number}`, title: `${title}: ${abstract}`, published: '2020-01-01', updated };
}

/** JSON Lines. */
function linesOf(numbers: readonly number[], day: string): string {
  const papers = numbers.map((number) => ({ id: `10.5555/p${number}`, ...paperOf(number, day) }));
  return papers.map((paper) => `${JSON.stringify(paper)}\n`).join('');
}
