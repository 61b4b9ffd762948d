/** The providers by their names, and what is told before one of them is asked. */
import { VerbatimError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import type { Description, SourceProvider } from './ports/provider.ts';
import type { SourceQuery, SourceSettings } from './ports/source.ts';
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

/** What is known before anything is fetched. */
export interface Announcement extends Description {
  /** The hosts that will be contacted; empty for a folder of this machine. */
  hosts: string[];
  sent: string[];
  /** The shortest time between two requests. */
  gapMs: number;
}

/** What a provider is asked: its own address unless another one is given, and a whole day. */
export function queryOf(
  { provider, options }: Pick<SourceSettings, 'provider' | 'options'>,
  settings: Settings,
): SourceQuery {
  const { from, ...rest } = options;
  const since = from === undefined ? {} : { from: from.length === 4 ? `${from}-01-01` : from };
  return { url: providerNamed(provider).addressOf(options, settings), ...since, ...rest };
}

/** Throws `usage` for options that the provider cannot use, and for settings that are missing. */
export function announce(
  source: Pick<SourceSettings, 'provider' | 'options'>,
  settings: Settings,
): Announcement {
  const { name, needsContact = false, ...provider } = providerNamed(source.provider);
  const { laneContact } = settings;
  if (needsContact && laneContact === '') {
    const problem = `${name} asks for a contact address: set VERBATIM_LANE_CONTACT`;
    throw new VerbatimError('usage', problem);
  }
  const query = queryOf(source, settings);
  if (!/^\d{4}-\d\d-\d\d$/.test(query.from ?? '2024-01-31')) {
    throw new VerbatimError('usage', '--from must be a year or a day such as 2024-01-31');
  }
  const { sent = [], ...description } = provider.describe(query, settings);
  const isContacted = /^https?:/i.test(query.url);
  const contact = isContacted && laneContact !== '' ? [`the contact address ${laneContact}`] : [];
  return {
    ...description,
    hosts: isContacted ? [new URL(query.url).host] : [],
    sent: [...sent, ...contact],
    gapMs: settings[provider.pace(source.options).gap],
  };
}
