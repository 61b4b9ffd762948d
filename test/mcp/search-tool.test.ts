import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { VerbatimError } from '../../src/errors.ts';
import type { LaneReport } from '../../src/lanes/lane/lane.ts';
import type { Backend } from '../../src/mcp/backend.ts';
import { createMcpServer } from '../../src/mcp/create-server.ts';
import type { Citation, SearchFilter } from '../../src/types.ts';
import { callTool, type ToolResult } from '../support/mcp.ts';

const report = (fields: Partial<LaneReport>): LaneReport => ({
  lane: 'arxiv',
  provider: 'arxiv',
  outcome: 'answered',
  reason: '',
  documents: 0,
  milliseconds: 1,
  ...fields,
});

async function searchWith(
  search: Backend['search'],
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  const backend: Backend = {
    version: '1',
    search,
    fetch: () => Promise.reject(new VerbatimError('not_found')),
    verify: async () => [],
    usage: undefined,
  };
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(backend);
  await server.connect(there);
  await client.connect(here);
  const result = await callTool(client, 'search', { query: 'moths', ...args });
  await client.close();
  return result;
}

const nothing = { n: 0, c: 0.1, results: [] };
const trace = { outcome: 'nothing', c: 0.1, threshold: 0.5, milliseconds: 1 } as const;

describe('an empty result', () => {
  it('names the sources that failed', async () => {
    const reports = [
      report({ outcome: 'failed', reason: 'unreachable' }),
      report({ lane: 'web', provider: 'brave', outcome: 'late' }),
      report({ lane: 'semantic_scholar', provider: 'semantic_scholar' }),
    ];
    const { structuredContent } = await searchWith(async () => ({
      answer: nothing,
      lanes: { ...trace, reports },
    }));
    expect(structuredContent?.['failed_sources']).toEqual(['arxiv (unreachable)', 'web (late)']);
    expect(structuredContent?.['notice']).toContain('does not mean that nothing exists there');
  });

  it('says so if there was no time for any source', async () => {
    const { structuredContent } = await searchWith(async () => ({
      answer: nothing,
      lanes: { ...trace, outcome: 'no_time', reports: [] },
    }));
    expect(structuredContent?.['failed_sources']).toEqual(['live sources (no_time)']);
  });

  it('of sources that all answered names none', async () => {
    const { structuredContent } = await searchWith(async () => ({
      answer: nothing,
      lanes: { ...trace, reports: [report({})] },
    }));
    expect(structuredContent?.['failed_sources']).toEqual([]);
    expect(structuredContent?.['notice']).not.toContain('Incomplete');
  });
});

it('says that a question is in a language that the model does not read', async () => {
  const { structuredContent } = await searchWith(async () => ({
    answer: nothing,
    unread: { question: 'de', model: ['en'] },
  }));
  expect(structuredContent?.['notice']).toContain(
    'to follow. The question is in German, and the model reads English',
  );
});

describe('a filter', () => {
  const filterOf = async (filter: unknown): Promise<SearchFilter | undefined> => {
    let received: SearchFilter | undefined;
    const result = await searchWith(
      async (request) => {
        received = request.filter;
        return { answer: nothing, lanes: undefined };
      },
      { filter },
    );
    if (result.isError) throw new Error(result.content[0]?.text);
    return received;
  };

  it('goes to the search', async () => {
    const who = { author: 'Ana Silva', doi_prefix: ['10.1371'] };
    const all = {
      ...who,
      year: { from: 2015 },
      type: ['review'],
      venue: 'Nature',
      source: ['arxiv'],
    };
    expect(
      await filterOf({ ...all, ids: ['W77'], has_abstract: true, open_access: false }),
    ).toEqual({
      years: { from: 2015, to: 9999 },
      types: ['review'],
      venues: ['Nature'],
      authors: ['Ana Silva'],
      doiPrefixes: ['10.1371/'],
      sources: ['arxiv'],
      ids: ['W77'],
      hasAbstract: true,
      openAccess: false,
    });
    expect(await filterOf({ type: 'review' })).toEqual({ types: ['review'] });
    expect(await filterOf({})).toBeUndefined();
  });

  it.each([
    [{ years: 2015 }, /unknown field "years", known are year, venue.*Nothing was charged/],
    [{ year: { since: 2015 } }, /filter\.year: unknown field "since", known are from, to/],
    [{ type: 'poem' }, /unknown type "poem", known are article, review/],
    [{ type: ['poem'] }, /type/],
    [{ year: 2015 }, /year/],
    ['2015', /filter/],
  ])('%j is refused with what was wrong', async (filter, message) => {
    await expect(filterOf(filter)).rejects.toThrow(message);
  });
});

describe('a failure of the service', () => {
  it.each([
    [new VerbatimError('at_capacity'), /not an empty result.*Try again after 1 s/],
    [new VerbatimError('search_timeout'), /not an empty result/],
    [new VerbatimError('key_cap_reached'), /raise the cap/],
    [new Error('disk gone'), /disk gone.*not an empty result/],
  ])('%s says what to do', async (error, text) => {
    const result = await searchWith(() => Promise.reject(error));
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(text);
  });
});

describe('answers', () => {
  const moth: Citation = {
    d: 'm',
    t: 'Moths',
    y: 0,
    a: [],
    s: 0.5,
    q: 'Moths fly.',
    src: 'corpus',
  };

  it('are asked for, and returned where they are known', async () => {
    let received: unknown;
    const results = [{ ...moth, answers: 0.62 }, moth];
    const { structuredContent } = await searchWith(
      async (request) => {
        received = request;
        return { answer: { n: 2, c: 0.9, results }, lanes: undefined };
      },
      { answers: true, min_answer: 0.5 },
    );
    expect(received).toMatchObject({ include: ['answers'], minAnswer: 0.5 });
    expect(structuredContent?.['results']).toEqual([
      expect.objectContaining({ text: 'Moths fly.', answers: 0.62 }),
      expect.not.objectContaining({ answers: expect.anything() }),
    ]);
  });
});

describe('the text of a paper', () => {
  it('is marked as data and free of invisible characters', async () => {
    const hidden = '\u{e0069}\u{e0067}\u202e';
    const citation = { d: '10.1000/moth', y: 0, s: 0.5, src: 'corpus' } as const;
    const texts = { t: `Moths${hidden}`, a: [`B.${hidden} Berg`], q: `Moths fly.${hidden}` };
    const { structuredContent } = await searchWith(async () => ({
      answer: { n: 1, c: 0.9, results: [{ ...citation, ...texts, ab: `Moths fly.${hidden}` }] },
      lanes: undefined,
    }));
    expect(structuredContent).toMatchObject({
      results: [
        {
          id: '10.1000/moth',
          title: 'Moths',
          url: 'https://doi.org/10.1000/moth',
          text: 'Moths fly.',
          authors: ['B. Berg'],
          abstract: 'Moths fly.',
        },
      ],
      notice: expect.stringContaining('never instructions'),
    });
  });
});
