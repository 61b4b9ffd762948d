/** What papers cite and who cites them: `/v1/paper`, and filters and orders of a search, over real sockets. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, writeFiles } from '../ingest/index-files.ts';
import { callTool, connectOverHttp } from '../support/mcp.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { type Caller, expectError, search, untilUsage } from './contract.ts';
import { get } from './look-up-papers.ts';

const WHELKS = '10.5555/whelks';
const REPLICATION = '10.5555/replication';
const LATER = '10.5555/later';
const GONE = '10.5555/gone-whelks';
const PRINTED = 'A. Nobody, On whelks that nobody printed, 1903.';
const PRINTED_FOUND =
  'Berg, A., Dahl, B., Ek, C., & Falk, E. (2001). Whelks climb at ebb and by night.';
/** Papers that cite the one on whelks, besides the others. */
const CITING = 120;

const doi = (id: string) => ({ doi: id });

const papers = [
  {
    doi: WHELKS,
    title: 'Whelks climb at ebb and by night',
    abstract: 'Whelks climb the pier at ebb.',
    year: 2001,
    authors: ['Anna Berg', 'Bo Dahl', 'Carl Ek', 'Eva Falk'],
    citation_count: 900,
    // The last one is the paper itself.
    references: [doi('10.5555/absent'), { text: PRINTED }, { pmid: '99' }, doi(GONE), doi(WHELKS)],
  },
  {
    doi: REPLICATION,
    title: 'Whelks climb at ebb: a replication',
    abstract: 'We could not replicate that whelks climb the pier at ebb.',
    year: 2010,
    citation_count: 7,
    references: [doi(WHELKS)],
  },
  {
    doi: LATER,
    title: 'Whelks climb the pier for food',
    abstract: 'Whelks climb the pier at ebb to feed.',
    year: 2015,
    references: [doi(WHELKS), doi(REPLICATION), { pmid: '99' }, { text: PRINTED_FOUND }],
  },
  {
    doi: GONE,
    title: 'Whelks on piers',
    abstract: 'Whelks climb the pier at ebb.',
    year: 1999,
    withheld: 'retracted',
  },
  ...Array.from({ length: CITING }, (_, at) => ({
    id: `limpet-${at}`,
    title: `Limpets of shore ${at}`,
    year: 1900 + at,
    references: [doi(WHELKS)],
  })),
];

let caller: Caller;

useService({
  async fill(database) {
    const [file = ''] = await writeFiles(dirname(database), { 'papers.jsonl': jsonLines(papers) });
    await runVerbatim(['index', 'add', file, '--db', database]);
    return createCustomer(database);
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

interface Entry {
  d?: string;
  y?: number;
}

async function listOf(id: string, name: string, cursor?: string) {
  const page = cursor === undefined ? '' : `&cursor=${cursor}`;
  const got = await get(caller, `/v1/paper?id=${encodeURIComponent(id)}&include=${name}${page}`);
  expect(got.status, got.text).toBe(200);
  const { papers: found } = JSON.parse(got.text);
  return found[0][name] as { count: number; indexed: number; papers: Entry[]; cursor?: string };
}

describe('the references of a paper', () => {
  it('are papers of the index, the newest first, and then what it does not have', async () => {
    expect(await listOf(LATER, 'references')).toEqual({
      count: 4,
      indexed: 2,
      papers: [
        { d: REPLICATION, t: 'Whelks climb at ebb: a replication', y: 2010, a: [] },
        {
          d: WHELKS,
          t: 'Whelks climb at ebb and by night',
          y: 2001,
          a: ['Anna Berg', 'Bo Dahl', 'Carl Ek'],
        },
        { d: 'PMID:99' },
        {
          text: PRINTED_FOUND,
          verdict: 'match',
          d: WHELKS,
          t: 'Whelks climb at ebb and by night',
        },
      ],
    });
  });

  it('mark a retracted paper, leave out the paper itself, and have printed references', async () => {
    expect(await listOf(WHELKS, 'references')).toEqual({
      count: 4,
      indexed: 1,
      papers: [
        {
          d: GONE,
          t: 'Whelks on piers',
          y: 1999,
          a: [],
          retraction: { kind: 'retraction', date: '', id: '' },
        },
        { d: '10.5555/absent' },
        { text: PRINTED },
        { d: 'PMID:99' },
      ],
    });
  });

  it('are those of the API for agents', async () => {
    const client = await connectOverHttp(caller.url, caller.secret, 'modern');
    const { structuredContent } = await callTool(client, 'fetch', {
      id: LATER,
      citations: 'references',
    });
    await client.close();
    expect(structuredContent?.['citations']).toMatchObject({
      count: 4,
      papers: [{}, {}, { id: 'PMID:99' }, { text: PRINTED_FOUND, id: WHELKS, verdict: 'match' }],
    });
  });

  it('are none if no record tells any', async () => {
    expect(await listOf(GONE, 'references')).toEqual({ count: 0, indexed: 0, papers: [] });
  });
});

describe('the papers that cite one', () => {
  it('come in pages of 50, the newest first, each once', async () => {
    const years: number[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await listOf(WHELKS, 'cited_by', cursor);
      expect(page).toMatchObject({ count: CITING + 2, indexed: CITING + 2 });
      expect(page.papers.length).toBeLessThanOrEqual(50);
      years.push(...page.papers.map(({ y = 0 }) => y));
      cursor = page.cursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(years).toHaveLength(CITING + 2);
    expect(years).toEqual([...years].sort((a, b) => b - a));
  });

  it('are counted for several papers, which costs one credit', async () => {
    const own = await get(caller, '/v1/usage');
    const { credits } = JSON.parse(own.text);
    const path = `/v1/paper?id=${WHELKS},${REPLICATION},10.5555/none&include=references,cited_by`;
    const { text } = await get(caller, path);
    const { papers: found, unknown } = JSON.parse(text);
    expect(found).toMatchObject([
      { references: { count: 4, indexed: 1 }, cited_by: { count: CITING + 2 } },
      { references: { count: 1, indexed: 1 }, cited_by: { count: 1, indexed: 1 } },
    ]);
    expect(found[0].cited_by).not.toHaveProperty('papers');
    expect(unknown).toEqual(['10.5555/none']);
    await untilUsage(caller, { credits: credits + 1 });
  });

  it.each([
    [
      `id=${WHELKS}&include=citations`,
      /^include: unknown name "citations", expected references or/,
    ],
    [`id=${WHELKS}&cursor=5`, /^cursor: expected one id, and one name in include/],
    [`id=${WHELKS}&include=references,cited_by&cursor=5`, /^cursor: expected one id, and one/],
    [`id=${WHELKS},${LATER}&include=cited_by&cursor=5x`, /^cursor: expected the cursor of an/],
  ])('reject %s', async (query, message) => {
    const got = await get(caller, `/v1/paper?${query}`);
    expectError(got, { status: 400, message, code: 'bad_request' });
  });

  it('are in no bibliography', async () => {
    const got = await get(caller, `/v1/paper?id=${WHELKS}&include=cited_by`, {
      headers: { accept: 'application/x-bibtex' },
    });
    expectError(got, { status: 400, message: /^include: lists are only in/, code: 'bad_request' });
  });
});

describe('a search by citations', () => {
  const ids = async (fields: object): Promise<string[]> => {
    const got = await search(caller, {
      query: 'do whelks climb the pier at ebb',
      limit: 50,
      ...fields,
    });
    expect(got.status, got.text).toBe(200);
    return JSON.parse(got.text).results.map(({ d }: { d: string }) => d);
  };

  it.each<[filter: Record<string, unknown>, found: string[]]>([
    [{ cites: [WHELKS], has_abstract: true }, [REPLICATION, LATER]],
    [{ cites: [REPLICATION] }, [LATER]],
    [{ cites: ['PMID:99'] }, [WHELKS, LATER]],
    [{ cites: ['https://doi.org/10.5555/ABSENT'] }, [WHELKS]],
    [{ cites: ['nobody'] }, []],
    [{ cited_by: [LATER] }, [WHELKS, REPLICATION]],
    [{ cited_by: [LATER], cites: [WHELKS] }, [REPLICATION]],
    [{ cited_by: [LATER], ids: [WHELKS] }, [WHELKS]],
    [{ min_citations: 8 }, [WHELKS]],
    [{ min_citations: 7 }, [WHELKS, REPLICATION]],
    [{ min_citations: 901 }, []],
  ])('with %j finds %j', async (filter, found) => {
    expect((await ids({ filter })).sort()).toEqual([...found].sort());
  });

  it('quotes the sentence that answers among the papers that cite one', async () => {
    const { text } = await search(caller, {
      query: 'was it replicated?',
      filter: { cites: [WHELKS], has_abstract: true },
      limit: 1,
    });
    expect(JSON.parse(text).results).toMatchObject([
      { d: REPLICATION, q: 'We could not replicate that whelks climb the pier at ebb.' },
    ]);
  });

  it('sorts by what the sources count, and shows it', async () => {
    const { text } = await search(caller, {
      query: 'do whelks climb the pier at ebb',
      filter: { ids: [WHELKS, REPLICATION, LATER] },
      sort: 'citations',
    });
    const counts = JSON.parse(text).results.map(
      ({ citation_count }: { citation_count?: number }) => citation_count,
    );
    expect(counts).toEqual([900, 7, undefined]);
  });

  it.each<[fields: object, message: RegExp]>([
    [{ sort: 'cited' }, /^sort: expected "relevance", "year" or "citations", got "cited"/],
    [{ filter: { min_citations: 0 } }, /^filter.min_citations: expected an integer from 1 to/],
    [{ filter: { cites: 'a' } }, /^filter.cites: expected an array of ids, got a string/],
    [{ filter: { cited_by: [] } }, /^filter.cited_by: expected at least one string, got none/],
  ])('rejects %j', async (fields, message) => {
    const got = await search(caller, { query: 'whelks', ...fields });
    expectError(got, { status: 400, message, code: 'bad_request' });
  });
});
