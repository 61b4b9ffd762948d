/** The checks of a search request's body, without a server. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerbatimError } from '../../src/errors.ts';
import { parseSearchBody } from '../../src/http/validate.ts';
import type { SearchRequest } from '../../src/types.ts';

const KNOWN =
  'query, limit, fields, lanes, include, sentences, min_score, min_answer, exclude, sort, rerank, max_tokens, filter';
const defaults: SearchRequest = { query: 'x', limit: 10, withAbstract: false };

function parse(body: unknown): SearchRequest {
  return parseSearchBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

/** The code and the message of what is thrown. */
function errorOf(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof VerbatimError) return { code: error.code, message: error.message };
    throw error;
  }
  return expect.fail('nothing was thrown');
}

describe('parseSearchBody', () => {
  it.each<[body: unknown, expected: Partial<SearchRequest>]>([
    [{ query: 'x' }, {}],
    [{ query: ' x ' }, { query: ' x ' }],
    [{ query: 'x', limit: 1 }, { limit: 1 }],
    [{ query: 'x', limit: 50 }, { limit: 50 }],
    [{ query: 'x', limit: 51 }, { limit: 50 }],
    [{ query: 'x', limit: -1 }, { limit: 1 }],
    [{ query: 'x', limit: -1e300 }, { limit: 1 }],
    [{ query: 'x', limit: Number.MAX_SAFE_INTEGER }, { limit: 50 }],
    [{ query: 'x', fields: 'abstract' }, { withAbstract: true }],
    [{ query: 'x', fields: ' abstract , abstract ' }, { withAbstract: true }],
    [{ query: 'x', fields: '' }, {}],
    ['\ufeff{"query":"x"}', {}],
    ['{"query":"y","query":"x"}', {}],
    ['{"query":"\\ud83e x"}', { query: '\ufffd x' }],
  ])('%j is a search', (body, expected) => {
    expect(parse(body)).toEqual({ ...defaults, ...expected });
  });

  it.each<[body: unknown, code: string, message: string]>([
    ['', 'bad_request', 'expected a JSON object in UTF-8, got a body that is not JSON'],
    ['[]', 'bad_request', 'expected a JSON object, got an array'],
    ['null', 'bad_request', 'expected a JSON object, got null'],
    ['"x"', 'bad_request', 'expected a JSON object, got a string'],
    ['1', 'bad_request', 'expected a JSON object, got the number 1'],
    [{}, 'bad_request', 'query: expected a string, got nothing'],
    [{ query: null }, 'bad_request', 'query: expected a string, got null'],
    [{ query: 1 }, 'bad_request', 'query: expected a string, got the number 1'],
    [{ query: [] }, 'bad_request', 'query: expected a string, got an array'],
    [{ query: {} }, 'bad_request', 'query: expected a string, got an object'],
    [{ query: false }, 'bad_request', 'query: expected a string, got a boolean'],
    [{ query: '' }, 'empty_query', 'empty query'],
    [{ query: '\u0085\u00a0\u3000\t' }, 'empty_query', 'empty query'],
    [{ query: 'x'.repeat(2049) }, 'query_too_long', 'query too long'],
    [{ query: 'x', limit: 0 }, 'limit_too_small', 'limit must be >= 1'],
    ['{"query":"x","limit":-0}', 'limit_too_small', 'limit must be >= 1'],
    [
      { query: 'x', filterr: { year: { from: 2020 } } },
      'bad_request',
      `the request: unknown field "filterr", known are ${KNOWN}; did you mean filter?`,
    ],
    [
      { query: 'x', min_scor: 0.9 },
      'bad_request',
      `the request: unknown field "min_scor", known are ${KNOWN}; did you mean min_score?`,
    ],
    [
      { query: 'x', LIMIT: 1 },
      'bad_request',
      `the request: unknown field "LIMIT", known are ${KNOWN}; did you mean limit?`,
    ],
    [
      { query: 'x', toString: 1 },
      'bad_request',
      `the request: unknown field "toString", known are ${KNOWN}`,
    ],
    [
      '{"query":"x","__proto__":{"limit":1}}',
      'bad_request',
      `the request: unknown field "__proto__", known are ${KNOWN}`,
    ],
    [{ query: 'x', limit: 1.5 }, 'bad_request', 'limit: expected an integer, got the number 1.5'],
    [{ query: 'x', limit: '1' }, 'bad_request', 'limit: expected an integer, got a string'],
    [{ query: 'x', limit: null }, 'bad_request', 'limit: expected an integer, got null'],
    [
      { query: 'x', fields: 'venue' },
      'bad_request',
      'fields: unknown field "venue", the only one is "abstract"',
    ],
    [
      { query: 'x', fields: ['abstract'] },
      'bad_request',
      'fields: expected a string of comma-separated names, got an array',
    ],
  ])('%j is refused as %s', (body, code, message) => {
    expect(errorOf(() => parse(body))).toEqual({ code, message });
  });

  it('counts code points, not UTF-16 units or bytes', () => {
    const characters = fc.string({ unit: 'binary', minLength: 2040, maxLength: 2056 });
    fc.assert(
      fc.property(characters, (text) => {
        const query = `x${text}`;
        const isTooLong = [...query].length > 2048;
        if (isTooLong) expect(errorOf(() => parse({ query })).code).toBe('query_too_long');
        else expect(parse({ query }).query).toBe(query);
      }),
      { numRuns: 50 },
    );
  });

  it('returns a search or an expected error for any bytes', () => {
    const json = fc.json().map((text) => Buffer.from(text));
    const fields = fc
      .record({ query: fc.anything(), limit: fc.anything(), fields: fc.anything() })
      .map((value) => Buffer.from(JSON.stringify(value) ?? '', 'utf8'));
    const rubbish = fc.uint8Array({ maxLength: 64 });
    fc.assert(
      fc.property(fc.oneof(json, fields, rubbish), (bytes) => {
        try {
          const { query, limit } = parseSearchBody(bytes);
          expect(query.trim()).not.toBe('');
          expect(limit >= 1 && limit <= 50).toBe(true);
        } catch (error) {
          if (!(error instanceof VerbatimError)) throw error;
          expect(error.status).toBe(400);
        }
      }),
    );
  });
});
