/** `verbatim eval`: measures the ranking on a test collection in BEIR's format. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { indexPlace } from '../index/open/index-place.ts';
import {
  type EvalQuery,
  formatRun,
  readEvidence,
  readQrels,
  readQueries,
} from '../search/eval/collection-files.ts';
import { type Evidence, evaluateEvidence } from '../search/eval/evidence.ts';
import { evaluateRun, type Qrels, type Run } from '../search/eval/measures.ts';
import type { Settings } from '../settings/config.ts';
import type { Citation } from '../types.ts';
import { type CommonOptions, parseCount, settingsOf, withModelOptions } from './cli/options.ts';
import { print, printJson, printTable } from './cli/output.ts';
import {
  type RerankerOptions,
  rerankerSettings,
  withRerankerOption,
} from './cli/reranker-option.ts';

interface EvalOptions extends CommonOptions, RerankerOptions {
  corpus: string;
  queries: string;
  qrels: string;
  evidence?: string;
  sentences: number;
  sharedIndex?: boolean;
  run?: string;
  depth: number;
}

const DEPTH_DEFAULT = 100;

export function evalCommand(): Command {
  return withRerankerOption(withModelOptions(new Command('eval')))
    .description('measure the ranking on a test collection in BEIR format')
    .requiredOption('--corpus <file>', 'documents: corpus.jsonl, plain or gzip')
    .requiredOption('--queries <file>', 'queries.jsonl')
    .requiredOption('--qrels <file>', 'relevance judgments: a TSV with query-id, corpus-id, score')
    .option('--evidence <file>', 'annotated sentences: JSON Lines with query_id, doc_id, sentences')
    .option('--sentences <n>', 'sentences to quote of each document', parseCount, 1)
    .option('--shared-index', 'build in the index that VERBATIM_INDEX names, and keep it')
    .option('--run <file>', 'write the rankings as a TREC run')
    .option('--depth <n>', 'results per query', parseCount, DEPTH_DEFAULT)
    .addHelpText(
      'after',
      `
Builds an index in a temporary file and removes it at the end. With --db, it uses that file and keeps
it, so that the next evaluation does not build the index again.`,
    )
    .action(async (options: EvalOptions) => {
      const folder = await mkdtemp(join(tmpdir(), 'verbatim-eval-'));
      const settings = settingsOf(
        { db: join(folder, 'eval.db'), ...options },
        {
          ...rerankerSettings(options),
          // Never by mistake: a collection would join the papers that a server searches.
          ...(!options.sharedIndex && { indexAddress: '' }),
        },
      );
      try {
        // Reads these files first, so that a wrong name fails before a build of minutes.
        const collection = await readCollection(options);
        const { addToIndex } = await import('./index/add-to-index.ts');
        await addToIndex([options.corpus], { settings, report: options.json ? 'none' : 'text' });
        await evaluate(collection, { settings, options });
      } finally {
        await rm(folder, { recursive: true });
      }
    });
}

interface Collection {
  qrels: Qrels;
  queries: EvalQuery[];
  evidence: Evidence[] | undefined;
}

async function readCollection(options: EvalOptions): Promise<Collection> {
  const qrels = await readQrels(options.qrels);
  return {
    qrels,
    // A query without judgments does not contribute to the measures.
    queries: (await readQueries(options.queries)).filter(({ id }) => qrels.has(id)),
    evidence: options.evidence === undefined ? undefined : await readEvidence(options.evidence),
  };
}

async function evaluate(
  { qrels, queries, evidence }: Collection,
  { settings, options }: { settings: Settings; options: EvalOptions },
): Promise<void> {
  const { openSearch } = await import('../search/open-search.ts');
  const opened = await openSearch({
    store: indexPlace(settings),
    model: settings.model,
    reranker: settings.reranker,
    limits: settings,
  });
  const run: Run = new Map();
  const quotes = new Map<string, Map<string, string[]>>();
  for (const { id, text } of queries) {
    const { answer, explanation } = await opened.search({
      query: text,
      limit: options.depth,
      withAbstract: false,
      sentences: options.sentences,
    });
    run.set(
      id,
      explanation.results.map(({ d, score }) => ({ id: d, score })),
    );
    const quotesOf = ({ sentences = [] }: Citation) => sentences.map(({ q }) => q);
    quotes.set(id, new Map(answer.results.map((result) => [result.d, quotesOf(result)])));
  }
  await opened.close();
  if (options.run !== undefined) await writeFile(options.run, formatRun(run));
  const measures = evaluateRun(run, qrels);
  const found = evidence === undefined ? undefined : evaluateEvidence(quotes, evidence);
  if (options.json) {
    printJson({ queries: queries.length, ...measures, ...(found && { evidence: found }) });
    return;
  }
  const rows = Object.entries(measures).map(([name, value]) => [name, value.toFixed(4)]);
  if (found) {
    rows.push(
      ['evidence sentence quoted', found.share.toFixed(4)],
      ['evidence precision', found.precision.toFixed(4)],
      ['evidence recall', found.recall.toFixed(4)],
      ['evidence F1', found.f1.toFixed(4)],
    );
    print(`${found.pairs} annotated pairs among the results`);
  }
  print(`${queries.length} queries`);
  printTable(['measure', 'value'], rows);
}
