/** `verbatim search`: one search from the command line, through the same pipeline as the service. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { openSearch } from '../search/open-search.ts';
import type { Explanation } from '../search/search.ts';
import type { Citation } from '../types.ts';
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
}

const LIMIT_DEFAULT = 10;

export function searchCommand(): Command {
  return withModelOptions(new Command('search'))
    .description('search the index; costs nothing')
    .argument('<question>', 'plain words')
    .option('--limit <n>', 'results to print', parseCount, LIMIT_DEFAULT)
    .option('--abstract', 'add the abstracts')
    .option('--explain', 'say how the results came about')
    .action(async (question: string, options: SearchOptions) => {
      if (question.trim() === '') throw new VerbatimError('usage', 'empty query');
      const settings = settingsOf(options);
      const opened = await openSearch({
        store: storeOptions(settings),
        model: settings.model,
        limits: settings,
      });
      try {
        const { answer, explanation } = await opened.search({
          query: question.toWellFormed(),
          limit: options.limit,
          withAbstract: options.abstract ?? false,
        });
        if (options.json) printJson(options.explain ? { ...answer, explanation } : answer);
        else {
          for (const [index, citation] of answer.results.entries()) printCitation(index, citation);
          print(`${answer.n} results, corpus confidence ${answer.c}`);
          if (options.explain) printExplanation(explanation);
        }
      } finally {
        opened.close();
      }
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
