/** The body of a search request: a request within its limits, or an error with a code for customers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VerbatimError } from '../../../src/errors.ts';
import { parseSearchBody } from '../../../src/http/validate.ts';
import { edits, encode, encoding, mutate } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { assertWithinLimits } from './calls.ts';
import { searchFields } from './requests.ts';

const QUERY_CHARACTERS_MAX = 2_048;
const RESULTS_MAX = 50;

export const body: FuzzTarget = {
  name: 'body',
  description: 'bodies of search requests',
  share: 0.185,
  async open() {
    const property = fc.property(searchFields, edits, encoding, (fields, given, name) => {
      const bytes = encode(mutate(JSON.stringify(fields), 'json', given), name);
      try {
        const request = parseSearchBody(bytes);
        const { query, limit } = request;
        assertWithinLimits(request);
        assert.ok([...query].length <= QUERY_CHARACTERS_MAX, 'the query is too long');
        assert.notEqual(query.trim(), '', 'the query is empty');
        assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= RESULTS_MAX, `limit ${limit}`);
      } catch (error) {
        if (!(error instanceof VerbatimError)) throw error;
        assert.equal(error.status, 400, error.code);
      }
    });
    return { property, close: () => {} };
  },
};
