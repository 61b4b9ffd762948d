/** `verbatim search`: one search from the command line, with the same pipeline as the service. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { FallbackOutcome, LaneTrace } from '../lanes/lane-trace.ts';
import { isBlank } from '../search/blank-query.ts';
import type { QuoteExplanation } from '../search/explain-quote.ts';
import { describeUnread, formatUnread } from '../search/question-language.ts';
import type { Explanation } from '../search/search.ts';
import type { Settings } from '../settings/config.ts';
import {
  type CommonOptions,
  parseResultCount,
  settingsOf,
  withModelOptions,
} from './cli/options.ts';
import { print, printJson, printTable } from './cli/output.ts';
import { printCitation } from './cli/print-citation.ts';
import {
  type RerankerOptions,
  rerankerSettings,
  withRerankerOption,
} from './cli/reranker-option.ts';
import { type FilterOptions, filterOf, withFilterOptions } from './filter-options.ts';

interface SearchOptions extends CommonOptions, FilterOptions, RerankerOptions {
  limit: number;
  abstract?: boolean;
  answers?: boolean;
  explain?: boolean;
  withWithheld?: boolean;
}

const LIMIT_DEFAULT = 10;
/** A feature that adds less to the score of a sentence is not shown. */
const CONTRIBUTION_MIN = 0.05;

/** What the options say of settings. */
function overridesOf(options: SearchOptions): Partial<Settings> {
  return { ...rerankerSettings(options), ...(options.withWithheld && { withheldShown: true }) };
}

export function searchCommand(): Command {
  return withFilterOptions(withRerankerOption(withModelOptions(new Command('search'))))
    .description('search the index, free of charge')
    .argument('<question>', 'a question in plain words')
    .option('--limit <n>', 'number of results, 1 to 50', parseResultCount, LIMIT_DEFAULT)
    .option('--abstract', 'print the abstracts too')
    .option('--answers', 'print the probability that each quote answers')
    .option('--explain', 'print the numbers behind the results')
    .option('--with-withheld', 'include retracted and withdrawn papers')
    .action(async (question: string, options: SearchOptions) => {
      if (isBlank(question)) throw new VerbatimError('usage', 'empty query');
      const { runSearch: searchOnce } = await import('./search-locally.ts');
      const filter = filterOf(options);
      const { answer, explanation, trace, unread } = await searchOnce(
        {
          query: question.toWellFormed(),
          limit: options.limit,
          withAbstract: options.abstract ?? false,
          ...(options.answers && { include: ['answers'] }),
          ...(filter === undefined ? {} : { filter }),
        },
        settingsOf(options, overridesOf(options)),
      );
      if (options.json) {
        printJson({
          ...answer,
          ...(unread && { question_language: formatUnread(unread) }),
          ...(options.explain && { explanation, lanes: trace }),
        });
        return;
      }
      for (const [index, citation] of answer.results.entries()) printCitation(index, citation);
      print(`${answer.n} ${answer.n === 1 ? 'result' : 'results'}, corpus confidence ${answer.c}`);
      if (unread !== undefined) print(describeUnread(unread));
      if (!options.explain) return;
      printExplanation(explanation);
      if (trace !== undefined) printTrace(trace);
    });
}

function printExplanation(explanation: Explanation): void {
  const { words, lexicalCandidates, denseCandidates, milliseconds, results } = explanation;
  print('');
  print(`query words: ${words.join(' ') || '(none)'}`);
  print(`candidates: ${lexicalCandidates} lexical, ${denseCandidates} dense`);
  const times = Object.entries(milliseconds).map(([step, time]) => `${step} ${time.toFixed(1)}`);
  print(`milliseconds: ${times.join(', ')}`);
  print('');
  printTable(
    ['document', 'score', 'first-stage score', 'BM25', 'document cosine', 'best unit cosine'],
    results.map(({ d, score, firstScore, bm25, documentCosine, bestCosine }) => [
      d,
      ...[score, firstScore, bm25, documentCosine, bestCosine].map((value) => value.toFixed(3)),
    ]),
  );
  print('');
  printTable(
    ['document', 'sentence', 'chosen over the others', 'because of'],
    results.flatMap(({ d, quote }) => (quote === undefined ? [] : [[d, ...quoteRow(quote)]])),
  );
}

/** The sentence from 1, its share among the sentences of its paper, and its largest contributions. */
function quoteRow({ sentence, probability, contributions }: QuoteExplanation): string[] {
  const largest = contributions
    .filter(([, value]) => Math.abs(value) >= CONTRIBUTION_MIN)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, value]) => `${name} ${value.toFixed(2)}`);
  return [String(sentence + 1), probability.share.toFixed(2), largest.join(', ')];
}

const outcomes: Readonly<Record<FallbackOutcome, string>> = {
  close: 'not asked, because the index has a close match',
  served: 'asked, and their documents are ranked with those of the index',
  not_allowed: 'not asked, because the question may not leave this machine',
  not_filtered: 'not asked, because they cannot apply the filter',
  busy: 'not asked, because too many searches are waiting for them',
  no_time: 'not asked, because too little time was left',
  throttled: 'not asked, because limits on their requests held them back',
  no_words: 'not asked, because the question leaves nothing to ask for',
  failed: 'failed, now or before',
  late: 'asked, but did not respond in time',
  nothing: 'asked, but returned nothing',
  not_scored: 'asked, but there was no time to score their documents',
};

function printTrace({ outcome, c, threshold, milliseconds, reports }: LaneTrace): void {
  print('');
  print(`lanes: ${outcomes[outcome]} (c ${c}, threshold ${threshold}, ${milliseconds} ms)`);
  if (reports.length === 0) return;
  printTable(
    ['lane', 'provider', 'outcome', 'reason', 'documents', 'ms'],
    reports.map(({ lane, provider, outcome: came, reason, documents, milliseconds: ms }) => [
      ...[lane, provider, came, reason],
      ...[String(documents), ms.toFixed(0)],
    ]),
  );
}
