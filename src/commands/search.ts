/** `verbatim search`: one search from the command line, through the same pipeline as the service. */
import { Command } from 'commander';
import type { Settings } from '../config.ts';
import { VerbatimError } from '../errors.ts';
import { createLog } from '../log.ts';
import { createFallback, type FallbackOutcome, type LaneTrace } from '../search/fallback.ts';
import { openSearch } from '../search/open-search.ts';
import type { Explanation, SearchOutcome } from '../search/search.ts';
import type { Citation, SearchRequest } from '../types.ts';
import { createScoring } from '../workers/lane-worker.ts';
import { openLanes } from './open-lanes.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  storeOptions,
  withModelOptions,
} from './options.ts';
import { print, printJson, printTable } from './output.ts';

interface SearchOptions extends CommonOptions {
  limit: number;
  abstract?: boolean;
  explain?: boolean;
  withWithheld?: boolean;
}

const LIMIT_DEFAULT = 10;

export function searchCommand(): Command {
  return withModelOptions(new Command('search'))
    .description('search the index; costs nothing')
    .argument('<question>', 'plain words')
    .option('--limit <n>', 'results to print', parseCount, LIMIT_DEFAULT)
    .option('--abstract', 'add the abstracts')
    .option('--explain', 'say how the results came about')
    .option('--with-withheld', 'retracted and withdrawn papers too')
    .action(async (question: string, options: SearchOptions) => {
      if (question.trim() === '') throw new VerbatimError('usage', 'empty query');
      const { answer, explanation, trace } = await searchOnce(
        {
          query: question.toWellFormed(),
          limit: options.limit,
          withAbstract: options.abstract ?? false,
        },
        settingsOf(options, options.withWithheld ? { withheldShown: 1 } : {}),
      );
      const lanes = trace === undefined ? {} : { lanes: trace };
      if (options.json) {
        printJson(options.explain ? { ...answer, explanation, ...lanes } : answer);
        return;
      }
      for (const [index, citation] of answer.results.entries()) printCitation(index, citation);
      print(`${answer.n} results, corpus confidence ${answer.c}`);
      if (!options.explain) return;
      printExplanation(explanation);
      if (trace !== undefined) printTrace(trace);
    });
}

/** One search in this process; with the lanes where they are on and the index has nothing close. */
async function searchOnce(
  request: SearchRequest,
  settings: Settings,
): Promise<SearchOutcome & { trace: LaneTrace | undefined }> {
  const deadline = performance.now() + settings.requestTimeoutMs;
  const { model } = settings;
  const opened = await openSearch({ store: storeOptions(settings), model, limits: settings });
  const lanes = openLanes(
    settings,
    createLog((line) => process.stderr.write(line)),
  );
  try {
    const local = await opened.search(request);
    if (lanes === undefined) return { ...local, trace: undefined };
    const fallback = createFallback({
      ...{ lanes, limits: settings, onDocuments: () => {} },
      score: createScoring(opened, settings),
      onError: (error) => {
        throw error;
      },
    });
    const { merged, trace } = await fallback(request, local.answer.c, deadline);
    return { ...(merged ?? local), trace };
  } finally {
    await lanes?.close();
    opened.close();
  }
}

function printCitation(index: number, citation: Citation): void {
  const { d, t, y, a, s, q, ab, src } = citation;
  const year = y === 0 ? '' : ` (${y})`;
  print(`${index + 1}. ${s.toFixed(3)}  ${t}${year}`);
  print(`   “${q}”`);
  print(`   ${[a.join(', '), d, src].filter((part) => part !== '').join(' · ')}`);
  if (ab !== undefined) print(`   ${ab}`);
  print('');
}

function printExplanation(explanation: Explanation): void {
  const { words, lexicalCandidates, denseCandidates, milliseconds, results } = explanation;
  print('');
  print(`words looked up: ${words.join(' ') || '(none)'}`);
  print(`candidates: ${lexicalCandidates} by full text, ${denseCandidates} by vector`);
  const times = Object.entries(milliseconds).map(([step, time]) => `${step} ${time.toFixed(1)}`);
  print(`milliseconds: ${times.join(', ')}`);
  print('');
  printTable(
    ['document', 'score', 'first score', 'bm25', 'document cosine', 'best cosine'],
    results.map(({ d, score, firstScore, bm25, documentCosine, bestCosine }) => [
      d,
      ...[score, firstScore, bm25, documentCosine, bestCosine].map((value) => value.toFixed(3)),
    ]),
  );
}

const outcomes: Readonly<Record<FallbackOutcome, string>> = {
  close: 'not asked, the index has something close',
  served: 'asked, and their documents ranked among the local ones',
  busy: 'not asked, too many searches wait for them',
  no_time: 'no answer in the time that was left',
  nothing: 'asked, and returned nothing',
  not_scored: 'asked, but there was no time to score what they returned',
};

function printTrace({ outcome, c, threshold, milliseconds, reports }: LaneTrace): void {
  print('');
  print(`lanes: ${outcomes[outcome]} (c ${c}, asked below ${threshold}; ${milliseconds} ms)`);
  if (reports.length === 0) return;
  printTable(
    ['lane', 'provider', 'outcome', 'reason', 'documents', 'ms'],
    reports.map(({ lane, provider, outcome: came, reason, documents, milliseconds: ms }) => [
      ...[lane, provider, came, reason],
      ...[String(documents), ms.toFixed(0)],
    ]),
  );
}
