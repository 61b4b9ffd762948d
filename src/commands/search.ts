/** `verbatim search`: one search from the command line, through the same pipeline as the service. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { FallbackOutcome, LaneTrace } from '../fallback/lane-trace.ts';
import { isBlank } from '../search/blank-query.ts';
import type { Explanation } from '../search/search.ts';
import type { Citation } from '../types.ts';
import { type CommonOptions, parseCount, settingsOf, withModelOptions } from './options.ts';
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
      if (isBlank(question)) throw new VerbatimError('usage', 'empty query');
      const { searchOnce } = await import('./search-once.ts');
      const { answer, explanation, trace } = await searchOnce(
        {
          query: question.toWellFormed(),
          limit: options.limit,
          withAbstract: options.abstract ?? false,
        },
        settingsOf(options, options.withWithheld ? { withheldShown: true } : {}),
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
  not_allowed: 'not asked, as the question may not leave this machine',
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
