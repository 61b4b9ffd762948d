/** Searches of the sample: an answer that obeys the contract, whatever is asked. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { storeOptions } from '../../../src/commands/cli/options.ts';
import { readSettings } from '../../../src/config.ts';
import { VerbatimError } from '../../../src/errors.ts';
import { parseSearchFields } from '../../../src/http/validate.ts';
import { openSearch } from '../../../src/search/open-search.ts';
import type { Answer } from '../../../src/types.ts';
import { indexSample } from '../../bench/index-sample.ts';
import type { FuzzTarget } from '../target.ts';
import { strangeText } from './strange-text.ts';

export const search: FuzzTarget = {
  name: 'search',
  description: 'questions, asked of the sample',
  share: 0.001,
  async open({ folder }) {
    const database = join(folder, 'search.db');
    await indexSample(database);
    const settings = readSettings({ database });
    const opened = await openSearch({ store: storeOptions(settings), model: '', limits: settings });
    const limit = fc.integer({ min: 1, max: 50 });
    const property = fc.asyncProperty(strangeText, limit, async (query, limit) => {
      const request = parse({ query, limit, fields: 'abstract' });
      if (request === undefined) return;
      checkAnswer((await opened.search(request)).answer, request.limit);
    });
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

function checkAnswer({ n, c, results }: Answer, limit: number): void {
  assert.equal(n, results.length);
  assert.ok(n <= limit, `${n} results for a limit of ${limit}`);
  assert.ok(c >= 0 && c <= 1, `c is ${c}`);
  assert.equal(new Set(results.map(({ d }) => d)).size, n, 'a paper stands twice');
  let before = 1;
  for (const { s, q, t, ab = '' } of results) {
    assert.ok(s >= 0 && s <= before, `s is ${s} after ${before}`);
    assert.ok(ab.includes(q) || t.includes(q), `not in its source: ${q}`);
    assert.notEqual(q.trim(), '');
    before = s;
  }
}
