/** The field `filter` of a search, and what records say of papers, over a real socket. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Citation } from '../../src/types.ts';
import { jsonLines, writeFiles } from '../ingest/index-files.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { type Caller, expectError, readUsage, search, untilUsage } from './contract.ts';

const QUESTION = 'how do harbor seals whistle';
const ADDRESS = 'https://example.org/seals.pdf';
const papers = [
  {
    doi: '10.5555/seals',
    title: 'Whistling harbor seals',
    abstract: 'Harbor seals whistle through closed nostrils.',
    year: 2019,
    venue: 'Journal of Bays',
    authors: ['Ana Silva', 'Núñez, José'],
    orcids: ['https://orcid.org/0000-0002-1825-0097'],
    type: 'review',
    open_access: true,
    open_access_url: ADDRESS,
    citation_count: 12,
  },
  { id: 'seal-notes', title: 'Harbor seals whistle: a field note', year: 2021, type: 'letter' },
  {
    id: 'seal-closed',
    title: 'Seals that whistle',
    open_access: false,
    abstract: 'Seals whistle.',
  },
];
const SEALS_RIS = `TY  - CONF
TI  - Do harbor seals whistle at night?
PY  - 2020
ID  - night
ER  - 
`;
const NOTICES = `Record ID,Title,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature
1,Whistling harbor seals,3/4/2022 0:00,10.5555/notice,0,10.5555/seals,0,Expression of concern
`;

let caller: Caller;

useService({
  async fill(database) {
    const files = await writeFiles(dirname(database), {
      'seals.jsonl': jsonLines(papers),
      'seals.ris': SEALS_RIS,
      'notices.csv': NOTICES,
    });
    await runVerbatim(['index', 'add', ...files, '--db', database]);
    return createCustomer(database);
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

async function answerTo(fields: Record<string, unknown>): Promise<Answer> {
  const { status, text } = await search(caller, { query: QUESTION, ...fields });
  expect(status, text).toBe(200);
  return JSON.parse(text) as Answer;
}

/** The papers above that a search finds. The index has the sample, too. */
async function idsWith(filter: unknown): Promise<string[]> {
  const { results } = await answerTo({ filter, limit: 50 });
  return results
    .map(({ d }) => d)
    .filter((d) => OWN.includes(d))
    .sort();
}

const NIGHT = 'seals.ris::night';
const SEALS = '10.5555/seals';
const OWN = [SEALS, NIGHT, 'seal-notes', 'seal-closed'];

describe('filter', () => {
  it('changes nothing if it has no fields', async () => {
    const plain = await search(caller, { query: QUESTION });
    expect((await search(caller, { query: QUESTION, filter: {} })).text).toBe(plain.text);
    expect(await idsWith({})).toEqual([...OWN].sort());
  });

  it.each<[filter: Record<string, unknown>, ids: string[]]>([
    [{ year: { from: 2020 } }, ['seal-notes', NIGHT]],
    [{ year: { to: 2020 } }, [SEALS, NIGHT]],
    [{ year: { from: 2019, to: 2019 } }, [SEALS]],
    [{ venue: 'journal OF bays' }, [SEALS]],
    [{ venue: ['Nature', 'Journal of Bays'] }, [SEALS]],
    [{ venue: 'Bays' }, []],
    [{ author: 'SILVA, Ana' }, [SEALS]],
    [{ author: ['Jose Nunez', 'Nobody'] }, [SEALS]],
    [{ author: 'A. Silva' }, []],
    [{ author: '0000-0002-1825-0097' }, [SEALS]],
    [{ author: 'https://orcid.org/0000-0002-1825-0097' }, [SEALS]],
    [{ author: '0000-0002-1694-233X' }, []],
    [{ doi_prefix: '10.5555' }, [SEALS]],
    [{ doi_prefix: ['10.1371', '10.5555/SEA'] }, [SEALS]],
    [{ doi_prefix: '10.55555' }, []],
    [{ doi_prefix: '10.5555', author: 'Bo Dahl' }, []],
    [{ ids: ['https://doi.org/10.5555/SEALS', 'unknown', 'seal-notes'] }, [SEALS, 'seal-notes']],
    [{ has_abstract: true }, [SEALS, 'seal-closed']],
    [{ has_abstract: false }, ['seal-notes', NIGHT]],
    [{ source: 'verbatim' }, [SEALS, 'seal-closed', 'seal-notes']],
    [{ source: ['seals.ris'] }, [NIGHT]],
    [{ source: 'nobody' }, []],
    [{ type: 'review' }, [SEALS]],
    [{ type: ['letter', 'conference-paper'] }, ['seal-notes', NIGHT]],
    [{ open_access: true }, [SEALS]],
    [{ open_access: false }, ['seal-closed']],
    [{ open_access: true, year: { from: 2020 } }, []],
  ])('%j allows %j', async (filter, ids) => {
    expect(await idsWith(filter)).toEqual([...ids].sort());
  });

  it('costs the credit of a search, also where it leaves nothing', async () => {
    const { credits } = await readUsage(caller);
    expect(await answerTo({ filter: { venue: 'Nowhere' } })).toEqual({ n: 0, c: 0, results: [] });
    await untilUsage(caller, { credits: credits + 1 });
  });

  const manyNames = Array.from({ length: 51 }, (_, at) => `v${at}`);
  const manyIds = Array.from({ length: 201 }, (_, at) => `i${at}`);
  it.each<[filter: unknown, message: string]>([
    ['2019', 'filter: expected an object, got a string'],
    [[], 'filter: expected an object, got an array'],
    [null, 'filter: expected an object, got null'],
    [
      { years: 2019 },
      'filter: unknown field "years", known are year, venue, author, doi_prefix, ids',
    ],
    [{ __proto__x: 1 }, 'filter: unknown field "__proto__x"'],
    [{ toString: 1 }, 'filter: unknown field "toString"'],
    [{ year: 2019 }, 'filter.year: expected an object, got the number 2019'],
    [{ year: {} }, 'filter.year: expected from, to or both, got neither'],
    [{ year: { since: 2019 } }, 'filter.year: unknown field "since", known are from, to'],
    [{ year: { from: '2019' } }, 'filter.year.from: expected an integer from 1 to 9999'],
    [{ year: { to: 0 } }, 'filter.year.to: expected an integer from 1 to 9999, got the number 0'],
    [{ year: { from: 1.5 } }, 'filter.year.from: expected an integer from 1 to 9999'],
    [{ year: { from: 2020, to: 2019 } }, 'filter.year: expected from to be at most to'],
    [{ venue: 7 }, 'filter.venue: expected a string or an array of strings, got the number 7'],
    [{ venue: [] }, 'filter.venue: expected at least one string, got none'],
    [{ venue: ['a', 7] }, 'filter.venue[1]: expected a non-empty string, got the number 7'],
    [{ venue: ' ' }, 'filter.venue: expected a non-empty string, got an empty string'],
    [{ venue: manyNames }, 'filter.venue: expected at most 50 strings, got 51'],
    [{ venue: 'v'.repeat(501) }, 'filter.venue: expected at most 500 characters'],
    [{ author: {} }, 'filter.author: expected a string or an array of strings, got an object'],
    [{ author: manyNames }, 'filter.author: expected at most 50 strings, got 51'],
    [
      { author: ['Ana Silva', '0000-0002-1825-0090'] },
      'filter.author: the ORCID 0000-0002-1825-0090 has a wrong check digit',
    ],
    [
      { doi_prefix: '10.137' },
      'filter.doi_prefix: expected the beginning of a DOI, such as 10.1371 or 10.1371/journal.pone, got "10.137"',
    ],
    [{ doi_prefix: ['10.1371', 'PLOS'] }, 'filter.doi_prefix: expected the beginning of a DOI'],
    [{ doi_prefix: [] }, 'filter.doi_prefix: expected at least one string, got none'],
    [{ source: {} }, 'filter.source: expected a string or an array of strings, got an object'],
    [{ ids: 'a' }, 'filter.ids: expected an array of ids, got a string'],
    [{ ids: [] }, 'filter.ids: expected at least one string, got none'],
    [{ ids: manyIds }, 'filter.ids: expected at most 200 strings, got 201'],
    [{ has_abstract: 'yes' }, 'filter.has_abstract: expected true or false, got a string'],
    [{ open_access: 1 }, 'filter.open_access: expected true or false, got the number 1'],
    [{ type: 'poem' }, 'filter.type: unknown type "poem", known are article, review'],
    [{ type: ['review', null] }, 'filter.type[1]: expected a non-empty string, got null'],
  ])('rejects %j', async (filter, message) => {
    const { credits } = await readUsage(caller);
    const got = await search(caller, { query: QUESTION, filter });
    expectError(got, { status: 400, message: /^filter/, code: 'bad_request' });
    expect(got.text).toContain(message);
    expect((await readUsage(caller)).credits).toBe(credits);
  });

  it('answers more filters than are kept, several at once', async () => {
    const years = Array.from({ length: 40 }, (_, at) => 1990 + at);
    for (let at = 0; at < years.length; at += 4) {
      const some = years.slice(at, at + 4);
      const answers = await Promise.all(
        some.map((year) => answerTo({ filter: { year: { from: year, to: year } } })),
      );
      for (const [i, { results }] of answers.entries()) {
        expect(results.every(({ y }) => y === some[i])).toBe(true);
        if (some[i] === 2019) expect(results.map(({ d }) => d)).toEqual([SEALS]);
      }
    }
  });
});

describe('include', () => {
  const include = 'type,open_access,citation_count,retraction';
  const find = (results: Citation[], d: string): Citation =>
    results.find((one) => one.d === d) ?? expect.fail(d);

  it('gives what records say, and leaves out what they do not', async () => {
    const { results } = await answerTo({ include });
    expect(find(results, SEALS)).toMatchObject({
      type: 'review',
      open_access: true,
      open_access_url: ADDRESS,
      citation_count: 12,
      retraction: { kind: 'expression_of_concern', date: '2022-03-04', id: '10.5555/notice' },
    });
    const note = find(results, 'seal-notes');
    expect(note.type).toBe('letter');
    for (const name of ['open_access', 'open_access_url', 'citation_count', 'retraction']) {
      expect(note).not.toHaveProperty(name);
    }
    expect(find(results, 'seal-closed').open_access).toBe(false);
  });

  it('gives nothing that was not asked for', async () => {
    const plain = await search(caller, { query: QUESTION });
    for (const name of ['open_access', 'citation_count', 'retraction', 'type']) {
      expect(plain.text).not.toContain(name);
    }
    const { results } = await answerTo({ include: 'citation_count' });
    expect(find(results, SEALS)).not.toHaveProperty('type');
  });
});
