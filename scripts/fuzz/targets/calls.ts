/** What the calls beside a search take: a request within its limits, or an error with a code for customers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { VerbatimError } from '../../../src/errors.ts';
import { parseIdempotencyKey } from '../../../src/http/parse-idempotency-key.ts';
import { parseSimilarQuery } from '../../../src/http/similar-endpoint.ts';
import { BATCH_QUESTIONS_MAX, parseBatchBody } from '../../../src/http/validate-batch.ts';
import { parseVerifyBody, VERIFY_ITEMS_MAX } from '../../../src/http/validate-verify.ts';
import type { SearchOptions } from '../../../src/types.ts';
import { edits, encode, encoding, mutate } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { batchFields, similarQuery, verifyFields } from './requests.ts';
import { strangeText } from './strange-text.ts';

const KEY_CHARACTERS_MAX = 255;
const YEAR_MAX = 9999;

/** Throws if options that were accepted are beyond what the API promises. */
export function assertWithinLimits(options: SearchOptions): void {
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

type Case =
  | { kind: 'batch'; body: Uint8Array }
  | { kind: 'verify'; body: Uint8Array }
  | { kind: 'similar'; text: string }
  | { kind: 'key'; text: string };

const bodyOf = (fields: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fields, edits, encoding)
    .map(([value, given, name]) => encode(mutate(JSON.stringify(value), 'json', given), name));

const oneCase: fc.Arbitrary<Case> = fc.oneof(
  fc.record({ kind: fc.constant('batch' as const), body: bodyOf(batchFields) }),
  fc.record({ kind: fc.constant('verify' as const), body: bodyOf(verifyFields) }),
  fc.record({ kind: fc.constant('similar' as const), text: similarQuery }),
  fc.record({
    kind: fc.constant('key' as const),
    text: fc.oneof(
      strangeText,
      strangeText.map((text) => `"${text}"`),
      fc.string(),
    ),
  }),
);

function check(given: Case): void {
  if (given.kind === 'batch') {
    const questions = parseBatchBody(given.body);
    assert.ok(questions.length >= 1 && questions.length <= BATCH_QUESTIONS_MAX);
    for (const question of questions) {
      if (!(question instanceof VerbatimError)) assertWithinLimits(question);
      else assert.equal(question.status, 400, question.code);
    }
  } else if (given.kind === 'verify') {
    const items = parseVerifyBody(given.body);
    assert.ok(items.length >= 1 && items.length <= VERIFY_ITEMS_MAX);
  } else if (given.kind === 'similar') {
    const request = parseSimilarQuery(given.text);
    assert.notEqual(request.similarTo.trim(), '');
    assertWithinLimits(request);
  } else {
    const key = parseIdempotencyKey(given.text, KEY_CHARACTERS_MAX);
    assert.ok(key.length >= 1 && key.length <= KEY_CHARACTERS_MAX, `${key.length} characters`);
    assert.match(key, /^[\x20-\x7e]+$/);
    const quoted = `"${key.replaceAll(/["\\]/g, '\\$&')}"`;
    assert.equal(parseIdempotencyKey(quoted, KEY_CHARACTERS_MAX), key, 'quoted, it is another');
  }
}

export const calls: FuzzTarget = {
  name: 'calls',
  description: 'batches, verifications, similar papers, and Idempotency-Key',
  share: 0.1,
  async open() {
    const property = fc.property(oneCase, (given) => orRefused(() => check(given)));
    return { property, close: () => {} };
  },
};
