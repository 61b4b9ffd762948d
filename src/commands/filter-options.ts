/** The options of `search` and `similar` that limit them to some papers. */
import { type Command, InvalidArgumentError } from 'commander';
import { doiPrefixOf } from '../identity/identifiers.ts';
import { isMistypedOrcid } from '../identity/orcid.ts';
import { type PaperType, paperTypes, type SearchFilter } from '../types.ts';
import { parseCount } from './cli/options.ts';
import { parseYearRange } from './index/selection-options.ts';

export interface FilterOptions {
  year?: { from: number; to: number };
  venue?: string[];
  author?: string[];
  doiPrefix?: string[];
  id?: string[];
  source?: string[];
  type?: PaperType[];
  withAbstract?: boolean;
  openAccess?: boolean;
  minCitations?: number;
  cites?: string[];
  citedBy?: string[];
}

export function withFilterOptions(command: Command): Command {
  return command
    .option('--year <a..b>', 'only these years: 2015..2020, 2015.., or ..2020', parseYears)
    .option('--venue <name>', 'only this journal or conference; may be repeated', appendTo)
    .option('--author <name>', 'only papers by this name or ORCID; may be repeated', appendAuthor)
    .option('--doi-prefix <prefix>', 'only DOIs that begin so; may be repeated', appendPrefix)
    .option('--id <id>', 'only this paper; may be repeated', appendTo)
    .option('--source <list>', 'only papers of these sources: openalex,arxiv', parseList)
    .option('--type <list>', 'only these types: article,review', parseTypes)
    .option('--with-abstract', 'only papers with an abstract')
    .option('--open-access', 'only papers that are known to be open access')
    .option('--min-citations <n>', 'only papers that are cited so often', parseCount)
    .option('--cites <id>', 'only papers that cite this work; may be repeated', appendTo)
    .option('--cited-by <id>', 'only papers that this paper cites; may be repeated', appendTo);
}

/** Returns the filter that the options make; undefined without any. */
export function filterOf(options: FilterOptions): SearchFilter | undefined {
  const filter: SearchFilter = {};
  if (options.year !== undefined) filter.years = options.year;
  if (options.venue !== undefined) filter.venues = options.venue;
  if (options.author !== undefined) filter.authors = options.author;
  if (options.doiPrefix !== undefined) filter.doiPrefixes = options.doiPrefix;
  if (options.id !== undefined) filter.ids = options.id;
  if (options.source !== undefined) filter.sources = options.source;
  if (options.type !== undefined) filter.types = options.type;
  if (options.withAbstract) filter.hasAbstract = true;
  if (options.openAccess) filter.openAccess = true;
  if (options.minCitations !== undefined) filter.minCitations = options.minCitations;
  if (options.cites !== undefined) filter.cites = options.cites;
  if (options.citedBy !== undefined) filter.citedBy = options.citedBy;
  return Object.keys(filter).length === 0 ? undefined : filter;
}

function parseYears(text: string): { from: number; to: number } {
  const years = parseYearRange(text);
  if (years !== undefined) return years;
  throw new InvalidArgumentError('It must be 2015..2020, 2015.., ..2020 or 2015.');
}

function appendTo(text: string, earlier: string[] = []): string[] {
  return [...earlier, text];
}

function appendAuthor(text: string, earlier?: string[]): string[] {
  if (!isMistypedOrcid(text)) return appendTo(text, earlier);
  throw new InvalidArgumentError('The ORCID has a wrong check digit.');
}

function appendPrefix(text: string, earlier?: string[]): string[] {
  const prefix = doiPrefixOf(text);
  if (prefix !== undefined) return appendTo(prefix, earlier);
  throw new InvalidArgumentError('It must be such as 10.1371 or 10.1371/journal.pone.');
}

function parseList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It must be names separated by commas.');
  return names;
}

function parseTypes(text: string): PaperType[] {
  return parseList(text).map((name) => {
    const type = paperTypes.find((known) => known === name);
    if (type !== undefined) return type;
    throw new InvalidArgumentError(`It must be some of ${paperTypes.join(', ')}.`);
  });
}
