/** The answers of the index alone, from a search in the test's process. */
import { afterAll, beforeAll, inject } from 'vitest';
import { type OpenSearch, openSearch } from '../../src/search/open-search.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { Answer } from '../../src/types.ts';

/** Opens the sample index for the test file that calls this. Services have copies of it. */
export function useSampleIndex(): (question: string) => Promise<Answer> {
  let opened: OpenSearch;
  beforeAll(async () => {
    const store = { path: inject('sampleIndex'), lockWaitMs: 5_000 };
    opened = await openSearch({ store, model: '', limits: readSettings({}, {}) });
  });
  afterAll(() => opened.close());
  return async (question) => {
    const request = { query: question, limit: 10, withAbstract: false };
    return (await opened.search(request)).answer;
  };
}
