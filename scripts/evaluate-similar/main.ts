/**
 * Measures similar papers on a test collection: papers that are relevant to the same query are taken
 * as similar. Prints the mean share of such papers among the first ten, and the time of a request.
 *
 *   node build.mjs && node scripts/evaluate-similar.mjs --db index.db --qrels qrels.tsv
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { VerbatimError } from '../../src/errors.ts';
import { openSearch } from '../../src/search/open-search.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { Citation } from '../../src/types.ts';

const LIMIT = 10;
const OPTIONS = { db: { type: 'string' }, qrels: { type: 'string' } } as const;

/** Returns, for each paper, the papers that are relevant to a query to which it is relevant. */
function readSimilar(path: string): Map<string, Set<string>> {
  const relevant = new Map<string, string[]>();
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    const [query = '', paper = '', score = '0'] = line.trim().split('\t');
    if (Number(score) > 0) relevant.set(query, [...(relevant.get(query) ?? []), paper]);
  }
  const similar = new Map<string, Set<string>>();
  for (const papers of relevant.values()) {
    for (const paper of papers) {
      const others = similar.get(paper) ?? new Set<string>();
      for (const other of papers) if (other !== paper) others.add(other);
      similar.set(paper, others);
    }
  }
  return similar;
}

const { db = '', qrels = '' } = parseArgs({ options: OPTIONS }).values;
const settings = readSettings({}, {});
const store = { path: db, lockWaitMs: settings.lockWaitMs };
const opened = await openSearch({ store, model: settings.model, limits: settings });

/** Returns the papers that the index finds, undefined for a paper without text, which it lacks. */
async function similarTo(paper: string): Promise<Citation[] | undefined> {
  try {
    const request = { similarTo: paper, limit: LIMIT, withAbstract: false };
    return (await opened.similar(request)).answer.results;
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'unknown_paper') return undefined;
    throw error;
  }
}

const shares: number[] = [];
const times: number[] = [];
for (const [paper, similar] of readSimilar(qrels)) {
  if (similar.size === 0) continue;
  const started = performance.now();
  const results = await similarTo(paper);
  if (results === undefined) continue;
  times.push(performance.now() - started);
  const right = results.filter(({ d }) => similar.has(d)).length;
  shares.push(right / Math.min(LIMIT, similar.size));
}
await opened.close();
const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
const sorted = times.sort((a, b) => a - b);
const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
console.log(`papers: ${shares.length}`);
console.log(`similar ones among the first ${LIMIT}: ${mean.toFixed(4)}`);
console.log(`milliseconds: p50 ${at(0.5)}, p95 ${at(0.95)}`);
