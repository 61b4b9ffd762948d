/** What a search and the other calls take: a request within its limits, or an error with a code for customers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VerbatimError } from '../../../src/errors.ts';
import { parseIdempotencyKey } from '../../../src/http/parse-idempotency-key.ts';
import { parseSimilarQuery } from '../../../src/http/similar-endpoint.ts';
import { parseSearchBody } from '../../../src/http/validate.ts';
import { BATCH_QUESTIONS_MAX, parseBatchBody } from '../../../src/http/validate-batch.ts';
import { parseVerifyBody, VERIFY_ITEMS_MAX } from '../../../src/http/validate-verify.ts';
import type { SearchOptions } from '../../../src/types.ts';
import { edits, encode, encoding, mutate } from '../mutate.ts';
import type { FuzzTarget } from '../run-target.ts';
import { batchFields, searchFields, similarQuery, verifyFields } from './requests.ts';
import { strangeText } from './strange-text.ts';

const KEY_CHARACTERS_MAX = 255;
const QUERY_CHARACTERS_MAX = 2_048;
const RESULTS_MAX = 50;
const YEAR_MAX = 9999;

/** Throws if options that were accepted are beyond what the API promises. */
function assertWithinLimits(options: SearchOptions): void {
  const { filter, sentences = 1, tokensMax = 50, exclude = [] } = options;
  const { minScore = 0, minAnswer = 0 } = options;
  assert.ok(sentences >= 1 && sentences <= 5, `sentences ${sentences}`);
  assert.ok(minScore >= 0 && minScore <= 1, `min_score ${minScore}`);
  assert.ok(minAnswer >= 0 && minAnswer <= 1, `min_answer ${minAnswer}`);
  assert.ok(Number.isSafeInteger(tokensMax) && tokensMax >= 50, `max_tokens ${tokensMax}`);
  assert.ok(exclude.every((id) => typeof id === 'string'));
  if (filter === undefined) return;
  assert.notDeepEqual(filter, {}, 'a filter without fields is none');
  const { years = { from: 1, to: YEAR_MAX }, ids, venues, sources, types } = filter;
  assert.ok(1 <= years.from && years.from <= years.to && years.to <= YEAR_MAX, 'years');
  for (const names of [ids, venues, sources, types]) {
    if (names === undefined) continue;
    assert.ok(names.length > 0, 'an empty list');
    assert.ok(names.every((name) => name.trim() !== '' && name.isWellFormed()));
  }
}

function orRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
    assert.equal(error.status, 400, error.code);
    assert.ok(error.message.length < 1_000, `a message of ${error.message.length} characters`);
  }
}

/** A function that checks one request, and the requests. */
function checking<Given>(
  requests: fc.Arbitrary<Given>,
  check: (given: Given) => void,
): fc.Arbitrary<() => void> {
  return requests.map((given) => {
    const run = (): void => orRefused(() => check(given));
    // What fast-check prints of a failing case.
    return Object.assign(run, { toString: () => fc.stringify(given) });
  });
}

const bodyOf = (fields: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fields, edits, encoding)
    .map(([value, given, name]) => encode(mutate(JSON.stringify(value), 'json', given), name));

const searches = checking(bodyOf(searchFields), (bytes) => {
  const request = parseSearchBody(bytes);
  const { query, limit } = request;
  assertWithinLimits(request);
  assert.ok([...query].length <= QUERY_CHARACTERS_MAX, 'the query is too long');
  assert.notEqual(query.trim(), '', 'the query is empty');
  assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= RESULTS_MAX, `limit ${limit}`);
});

const batches = checking(bodyOf(batchFields), (bytes) => {
  const questions = parseBatchBody(bytes);
  assert.ok(questions.length >= 1 && questions.length <= BATCH_QUESTIONS_MAX);
  for (const question of questions) {
    if (!(question instanceof VerbatimError)) assertWithinLimits(question);
    else assert.equal(question.status, 400, question.code);
  }
});

const verifications = checking(bodyOf(verifyFields), (bytes) => {
  const { items } = parseVerifyBody(bytes);
  assert.ok(items.length >= 1 && items.length <= VERIFY_ITEMS_MAX);
});

const similar = checking(similarQuery, (text) => {
  const request = parseSimilarQuery(text);
  assert.notEqual(request.similarTo.trim(), '');
  assertWithinLimits(request);
});

const quotedText = strangeText.map((text) => `"${text}"`);
const keys = checking(fc.oneof(strangeText, quotedText, fc.string()), (text) => {
  const key = parseIdempotencyKey(text, KEY_CHARACTERS_MAX);
  assert.ok(key.length >= 1 && key.length <= KEY_CHARACTERS_MAX, `${key.length} characters`);
  assert.match(key, /^[\x20-\x7e]+$/);
  const quoted = `"${key.replaceAll(/["\\]/g, '\\$&')}"`;
  assert.equal(parseIdempotencyKey(quoted, KEY_CHARACTERS_MAX), key, 'quoted, it is another');
});

export const body: FuzzTarget = {
  name: 'body',
  open: async () => ({ property: fc.property(searches, (run) => run()) }),
};

export const calls: FuzzTarget = {
  name: 'calls',
  async open() {
    const any = fc.oneof(batches, verifications, similar, keys);
    return { property: fc.property(any, (run) => run()) };
  },
};
