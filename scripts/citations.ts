/**
 * Lists of citations in an index of bare rows, whose edges are generated so that each answer is known: bytes
 * of an edge, and the time of a page.
 */
import { join } from 'node:path';
import type { Connection } from '../src/database/sqlite/connection.ts';
import { contentHash } from '../src/identity/record-hash.ts';
import { hashKey, idKeyOf } from '../src/identity/record-keys.ts';
import { encodeCiting } from '../src/index/citations/citing-list.ts';
import { storedWorkOf } from '../src/index/citations/stored-work.ts';
import { facetsOf } from '../src/index/facets/facets.ts';
import { createFacetsWriter } from '../src/index/facets/stored-facets.ts';
import { createRecordTable } from '../src/index/records/records.ts';
import { CITATIONS_PER_PAGE, readCitationLists } from '../src/search/papers/citation-lists.ts';
import { inStore, withIndex } from './measure/databases.ts';
import { count } from './measure/options.ts';
import { createRandom } from './measure/random.ts';
import { atMost, ms, type Outcome, say, tableOf } from './measure/report.ts';
import { defineMeasurement } from './measure/run.ts';
import { quantile } from './measure/statistics.ts';
import { inTemporaryFolder } from './measure/temporary-folder.ts';

const REFERENCES = 20;
const BYTES_MAX = 12;
const PAGE_MS_MAX = 10;

export const measurement = defineMeasurement({
  options: {
    papers: count(1_000_000, 'papers, each with 20 references', 2_000),
    pages: count(5_000, 'pages that are read', 100),
  },
  notes: 'Exits 1 if a list is not what was generated.',
  run: ({ papers, pages }) =>
    inTemporaryFolder('citations', async (folder) => {
      const database = join(folder, 'bare.db');
      say(`writing ${papers} papers`);
      return await read(
        database,
        inStore(database, (db) => write(db, papers)),
        pages,
      );
    }),
});

/** Returns the distinct papers that each paper cites, by numbers from 1. A few are cited most. */
function generate(papers: number): Uint32Array[] {
  const { unit: random } = createRandom('citations');
  return Array.from({ length: papers }, (_, at) => {
    const cited = new Set<number>();
    for (let left = REFERENCES; left > 0; left--) {
      const other = 1 + Math.floor(papers * random() ** 3);
      if (other !== at + 1) cited.add(other);
    }
    return Uint32Array.from(cited).sort();
  });
}

const idOf = (number: number): string => `10.5555/${number}`;
const yearOf = (number: number): number => 1950 + (number % 75);

/** What was written. It is small: what the reader keeps in memory costs it pauses. */
interface Written {
  /** Of each paper, how many it cites, and how many cite it. */
  references: Uint32Array;
  citedBy: Uint32Array;
  edges: number;
  /** That the edges add to a file without free pages. */
  bytes: number;
}

function write(db: Connection, papers: number): Written {
  const cited = generate(papers);
  const sizeOf = (work: () => void): number => {
    db.transaction(work)();
    db.exec('VACUUM');
    const [pages, bytes] = ['page_count', 'page_size'].map((name) =>
      db.pragma(name, { simple: true }),
    );
    return Number(pages) * Number(bytes);
  };
  const without = sizeOf(() => writePapers(db, papers));
  const bytes = sizeOf(() => writeEdges(db, cited)) - without;
  const references = Uint32Array.from(cited, ({ length }) => length);
  const citedBy = new Uint32Array(papers);
  for (const numbers of cited) for (const number of numbers) (citedBy[number - 1] as number) += 1;
  return { references, citedBy, edges: references.reduce((sum, one) => sum + one, 0), bytes };
}

function writePapers(db: Connection, papers: number): void {
  const add = db.prepare(
    `INSERT INTO documents VALUES (@number, @id, @title, '', @year, '[]', '', @hash, x'')`,
  );
  const records = createRecordTable(db);
  const facets = createFacetsWriter(db);
  for (let number = 1; number <= papers; number++) {
    const id = idOf(number);
    const fields = {
      id,
      title: `Paper ${number}`,
      abstract: '',
      year: yearOf(number),
      authors: [],
      venue: '',
    };
    add.run({ number, id, title: fields.title, year: fields.year, hash: contentHash(fields) });
    const record = {
      ...fields,
      source: 'doi',
      part: 'record',
      identifiers: { doi: id },
      updatedAt: 0,
    } as const;
    records.add({ record, hash: Buffer.alloc(0), file: null, cited: null }, { number, fields });
    facets.put(number, facetsOf({ document: fields, details: {}, records: [record] }));
  }
  facets.flush();
}

function writeEdges(db: Connection, cited: readonly Uint32Array[]): void {
  const keys = Float64Array.from(cited, (_, at) => hashKey(idKeyOf(idOf(at + 1))));
  const setCited = db.prepare('UPDATE source_records SET cited = ? WHERE document = ?');
  const citing = cited.map((): number[] => []);
  for (const [at, numbers] of cited.entries()) {
    // As in src/identity/reference-list.ts.
    const list = Buffer.alloc(2 + 6 * numbers.length);
    list.writeUInt16LE(numbers.length, 0);
    for (const [place, number] of numbers.entries()) {
      list.writeIntLE(keys[number - 1] as number, 2 + 6 * place, 6);
      citing[number - 1]?.push(at + 1);
    }
    setCited.run(list, at + 1);
  }
  const add = db.prepare('INSERT INTO citations VALUES (?, 0, ?, ?)');
  for (const [at, numbers] of citing.entries()) {
    if (numbers.length > 0)
      add.run(keys[at], storedWorkOf(idKeyOf(idOf(at + 1))), encodeCiting(numbers));
  }
}

async function read(
  database: string,
  { references, citedBy, edges, bytes }: Written,
  pages: number,
): Promise<Outcome> {
  const { unit: random } = createRandom('pages');
  const wrong: string[] = [];
  const times = await withIndex(database, async ({ source }) => {
    const pageOf = async (number: number, name: 'references' | 'cited_by', after?: number) => {
      const started = performance.now();
      const [lists] = await source.view((view) =>
        readCitationLists([number], { names: [name], after, most: CITATIONS_PER_PAGE }, view),
      );
      return { list: lists?.[name], time: performance.now() - started };
    };
    /** The list of a paper is what was generated. Its page may begin anywhere. */
    const timeOf = async (number: number, name: 'references' | 'cited_by'): Promise<number> => {
      const known = (name === 'references' ? references : citedBy)[number - 1];
      const { list, time } = await pageOf(number, name);
      const years = list?.papers?.map((paper) => ('y' in paper ? paper.y : 0)) ?? [];
      if (
        list?.count !== known ||
        list?.indexed !== known ||
        years.some((y, at) => y > (years[at - 1] ?? 9999))
      ) {
        wrong.push(`${name} of paper ${number}: ${list?.count} papers instead of ${known}`);
      }
      if (list?.cursor === undefined) return time;
      const next = await pageOf(number, name, Number(list.cursor));
      return Math.max(time, next.time);
    };
    const found = { references: [] as number[], cited_by: [] as number[], most: [] as number[] };
    for (let left = pages; left > 0; left--) {
      // As papers are asked for: those that are cited more, more often.
      const number = 1 + Math.floor(citedBy.length * random() ** 3);
      found.references.push(await timeOf(number, 'references'));
      found.cited_by.push(await timeOf(number, 'cited_by'));
      if (left % 10 === 0) found.most.push(await timeOf(1, 'cited_by'));
    }
    return found;
  });
  const rows = [
    atMost('bytes of an edge, both directions', bytes / edges, BYTES_MAX),
    ...(['references', 'cited_by'] as const).map((name) =>
      atMost(`a page of ${name}, p99`, quantile(times[name], 0.99), PAGE_MS_MAX, ms),
    ),
    { measure: `cited_by of ${citedBy[0]} papers, p50`, value: ms(quantile(times.most, 0.5)) },
    atMost(`cited_by of ${citedBy[0]} papers, p99`, quantile(times.most, 0.99), PAGE_MS_MAX, ms),
  ];
  const report = { papers: citedBy.length, edges, bytes, p50: quantile(times.cited_by, 0.5) };
  return {
    report: { ...report, rows },
    shown: [`${citedBy.length} papers, ${edges} edges`, tableOf('citations', rows)],
    wrong,
  };
}
