/** Validates the body of a batch of searches. Pure. */
import { VerbatimError } from '../errors.ts';
import type { SearchRequest } from '../types.ts';
import { asObject, assertNone, badRequest, wrongType } from './field-errors.ts';
import { parseObject, parseSearchFields } from './validate.ts';

export const BATCH_QUESTIONS_MAX = 32;

/** A question of a batch, or why it cannot be searched. */
export type BatchQuestion = SearchRequest | VerbatimError;

/**
 * Parses a body. Each question is an object as the body of a search. One that is wrong does not
 * spoil the others. Throws a 400 that names what is wrong with the batch itself.
 */
export function parseBatchBody(body: Uint8Array): BatchQuestion[] {
  const { questions, ...others } = parseObject(body);
  assertNone(others, 'the request', ['questions']);
  if (!Array.isArray(questions)) {
    throw wrongType('questions', 'an array', questions);
  }
  if (questions.length === 0) throw badRequest('questions: expected at least one, got none');
  if (questions.length > BATCH_QUESTIONS_MAX) {
    const got = `got ${questions.length}`;
    throw badRequest(`questions: expected at most ${BATCH_QUESTIONS_MAX}, ${got}`);
  }
  return questions.map((question: unknown, at) => parseQuestion(question, `questions[${at}]`));
}

function parseQuestion(question: unknown, name: string): BatchQuestion {
  try {
    return parseSearchFields(asObject(question, name), name);
  } catch (error) {
    if (error instanceof VerbatimError) return error;
    throw error;
  }
}
