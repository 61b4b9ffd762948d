/** `verbatim similar`: the papers of the index that are most similar to one. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { createSearchDeps } from '../search/search.ts';
import { findSimilar } from '../search/similar.ts';
import type { SimilarRequest } from '../types.ts';
import {
  type CommonOptions,
  parseResultCount,
  settingsOf,
  withSource,
  withStoreOptions,
} from './cli/options.ts';
import { print, printJson } from './cli/output.ts';
import { printCitation } from './cli/print-citation.ts';
import { type FilterOptions, filterOf, withFilterOptions } from './filter-options.ts';

interface SimilarOptions extends CommonOptions, FilterOptions {
  limit: number;
  abstract?: boolean;
}

const LIMIT_DEFAULT = 10;

export function similarCommand(): Command {
  return withFilterOptions(withStoreOptions(new Command('similar')))
    .description('find the papers that are most similar to one, free of charge')
    .argument('<id>', 'any DOI, arXiv id, PMID, ... of a paper, or `d` of a result')
    .option('--limit <n>', 'number of results, 1 to 50', parseResultCount, LIMIT_DEFAULT)
    .option('--abstract', 'print the abstracts too')
    .addHelpText(
      'after',
      `
The paper itself and its versions are left out. Each paper is quoted by the sentence that is closest to
the paper that was asked for.

Examples:
  verbatim similar 10.5555/tides --limit 5
  verbatim similar 10.5555/tides --year 2020.. --type article,review`,
    )
    .action(async (similarTo: string, options: SimilarOptions) => {
      const settings = settingsOf(options);
      const { limit, abstract: withAbstract = false } = options;
      const request: SimilarRequest = { similarTo, limit, withAbstract };
      const filter = filterOf(options);
      if (filter !== undefined) request.filter = filter;
      const { answer } = await withSource(settings, async (source) => {
        const model = await source.model();
        if (model === undefined) {
          throw new VerbatimError('no_documents', 'the index is empty: run `verbatim index add`');
        }
        const deps = createSearchDeps(source, model, settings);
        return findSimilar(request, deps);
      });
      if (options.json) {
        printJson(answer);
        return;
      }
      for (const [index, citation] of answer.results.entries()) printCitation(index, citation);
      print(`${answer.n} ${answer.n === 1 ? 'result' : 'results'}, confidence ${answer.c}`);
    });
}
