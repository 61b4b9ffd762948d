/** Reads and writes the files of a test collection. They fit into memory, so each is read whole. */
import { readFile } from 'node:fs/promises';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Evidence } from './evidence.ts';
import type { Qrels, Run } from './measures.ts';

export interface EvalQuery {
  id: string;
  text: string;
}

/** The system name in a TREC run. */
const RUN_NAME = 'verbatim';
/** More digits than a customer sees, because tools that read a run break ties differently. */
const SCORE_DIGITS = 9;

/** Reads queries: JSON Lines with _id and text, as in BEIR. Throws `unreadable_input`. */
export async function readQueries(path: string): Promise<EvalQuery[]> {
  const records = await readJsonLines<{ _id: string | number; text: string }>(path);
  return records.map(({ _id, text }) => ({ id: String(_id), text }));
}

/** Reads annotated sentences: JSON Lines with query_id, doc_id and sentences. Throws `unreadable_input`. */
export async function readEvidence(path: string): Promise<Evidence[]> {
  const records = await readJsonLines<{
    query_id: string | number;
    doc_id: string | number;
    sentences: unknown;
  }>(path);
  return records.map(({ query_id, doc_id, sentences }) => {
    if (areTexts(sentences)) {
      return { query: String(query_id), document: String(doc_id), sentences };
    }
    const what = `query_id ${query_id}, doc_id ${doc_id}`;
    const message = `${path}: ${what}: expected sentences to be an array of texts`;
    throw new VerbatimError('unreadable_input', message);
  });
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Reads relevance judgments. Throws `unreadable_input`. */
export async function readQrels(path: string): Promise<Qrels> {
  return parseQrels(await readText(path), path);
}

/**
 * Parses relevance judgments: a TSV with the header query-id, corpus-id, score, as in BEIR. Throws
 * `unreadable_input` with the number of the first invalid line.
 */
export function parseQrels(text: string, path: string): Qrels {
  const qrels: Qrels = new Map();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || (index === 0 && line.startsWith('query-id'))) continue;
    const [query, document, grade] = line.split('\t');
    if (query === undefined || document === undefined || !/^-?\d+$/.test(grade ?? '')) {
      throw new VerbatimError(
        'unreadable_input',
        `${path}:${index + 1}: expected query-id, corpus-id and score, separated by tabs`,
      );
    }
    const grades = qrels.get(query) ?? new Map<string, number>();
    grades.set(document, Number(grade));
    qrels.set(query, grades);
  }
  return qrels;
}

/** Formats a run as TREC does: query, Q0, document, rank from 1, score, and system on each line. */
export function formatRun(run: Run): string {
  const lines: string[] = [];
  for (const [query, entries] of run) {
    for (const [index, { id, score }] of entries.entries()) {
      const fields = [query, 'Q0', id, index + 1, score.toFixed(SCORE_DIGITS), RUN_NAME];
      lines.push(fields.join(' '));
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Throws `unreadable_input` with the number of the first line that is not JSON. */
async function readJsonLines<Record>(path: string): Promise<Record[]> {
  const lines = (await readText(path)).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Record];
    } catch {
      throw new VerbatimError('unreadable_input', `${path}:${index + 1}: not JSON`);
    }
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new VerbatimError('unreadable_input', `cannot read ${path}: ${messageOf(error)}`);
  }
}
