/** The providers by their names. */
import { VerbatimError } from '../errors.ts';
import type { SourceProvider } from './ports/provider.ts';
import { arxivProvider } from './providers/arxiv.ts';
import { crossrefProvider } from './providers/crossref.ts';
import { filesProvider } from './providers/files.ts';
import { openalexProvider } from './providers/openalex.ts';
import { pubmedProvider } from './providers/pubmed.ts';

export const providers: readonly SourceProvider[] = [
  arxivProvider,
  openalexProvider,
  pubmedProvider,
  crossrefProvider,
  filesProvider,
];

/** Throws `usage` with the known names. */
export function providerNamed(name: string): SourceProvider {
  const found = providers.find((each) => each.name === name);
  if (found !== undefined) return found;
  const known = providers.map((each) => each.name).join(', ');
  throw new VerbatimError('usage', `there is no provider "${name}"; known are ${known}`);
}
