/** Searches of the sample: an answer that obeys the contract, whatever is asked. */
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { storeOptions } from '../../../src/commands/cli/options.ts';
import { VerbatimError } from '../../../src/errors.ts';
import { parseSearchFields } from '../../../src/http/validate.ts';
import { type OpenSearch, openSearch } from '../../../src/search/open-search.ts';
import { readSettings } from '../../../src/settings/config.ts';
import type { Answer, SearchRequest, SimilarRequest } from '../../../src/types.ts';
import type { FuzzTarget } from '../run-target.ts';
import { filter, paperId } from './requests.ts';
import { strangeText } from './strange-text.ts';

export const search: FuzzTarget = {
  name: 'search',
  async open(folder, index) {
    const database = join(folder, 'search.db');
    await copyFile(index, database);
    const settings = readSettings({ database });
    const opened = await openSearch({ store: storeOptions(settings), model: '', limits: settings });
    const limit = fc.integer({ min: 1, max: 50 });
    const kind = fc.constantFrom('search' as const, 'similar' as const);
    const property = fc.asyncProperty(
      fc.record({ query: strangeText, id: paperId, limit, filter: fc.option(filter), kind }),
      async ({ query, id, limit, filter, kind }) => {
        const request = parse({ query, limit, fields: 'abstract', filter: filter ?? undefined });
        if (request === undefined) return;
        const { answer } =
          kind === 'search'
            ? await opened.search(request)
            : await findSimilar(opened, { ...request, similarTo: id });
        checkAnswer(answer, request);
      },
    );
    return { property, close: () => opened.close() };
  },
};

function parse(fields: Record<string, unknown>) {
  try {
    return parseSearchFields(fields);
  } catch (error) {
    if (error instanceof VerbatimError && error.status === 400) return undefined;
    throw error;
  }
}

/** No paper at all if the index does not have this one, or has several. */
async function findSimilar(
  opened: OpenSearch,
  request: SimilarRequest,
): Promise<{ answer: Answer }> {
  try {
    return await opened.similar(request);
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
    assert.ok(['unknown_paper', 'bad_request'].includes(error.code), error.code);
    return { answer: { n: 0, c: 0, results: [] } };
  }
}

function checkAnswer({ n, c, results }: Answer, { limit, filter }: SearchRequest): void {
  assert.equal(n, results.length);
  assert.ok(n <= limit, `${n} results for a limit of ${limit}`);
  assert.ok(c >= 0 && c <= 1, `c is ${c}`);
  assert.equal(new Set(results.map(({ d }) => d)).size, n, 'a paper stands twice');
  const { years, hasAbstract } = filter ?? {};
  for (const { y, ab } of results) {
    if (years !== undefined) assert.ok(y >= years.from && y <= years.to, `the year is ${y}`);
    if (hasAbstract !== undefined) assert.equal(ab !== '', hasAbstract, 'has_abstract');
  }
  let before = 1;
  for (const { s, q, t, ab = '' } of results) {
    assert.ok(s >= 0 && s <= before, `s is ${s} after ${before}`);
    assert.ok(ab.includes(q) || t.includes(q), `not in its source: ${q}`);
    assert.notEqual(q.trim(), '');
    before = s;
  }
}
