/** Which lanes the settings turn on, and whether the settings have what each lane needs. */

import { VerbatimError } from '../errors.ts';
import { type Settings, settingsTable } from '../settings/config.ts';
import { type LaneName, laneNames } from '../settings/lane-choice.ts';
import { version } from '../settings/version.ts';
import type { ProviderName } from './lane/lane.ts';

const webProviders: readonly ProviderName[] = settingsTable.webProvider.choices;

type TextSetting = {
  [Name in keyof Settings]: Settings[Name] extends string ? Name : never;
}[keyof Settings];

/** Settings that a provider requires. arXiv and Crossref ask their users for a contact address. */
const required: Partial<Record<ProviderName, readonly TextSetting[]>> = {
  arxiv: ['laneContact'],
  crossref: ['laneContact'],
  searxng: ['searxngUrl'],
  brave: ['braveKey'],
};
/** The settings by which a provider recognizes us. */
const accounts: Readonly<Record<ProviderName, readonly TextSetting[]>> = {
  arxiv: ['arxivUrl', 'laneContact'],
  semantic_scholar: ['semanticScholarUrl', 'semanticScholarKey'],
  crossref: ['crossrefUrl', 'laneContact'],
  europepmc: ['europepmcUrl'],
  openalex: ['openalexUrl', 'openalexKey'],
  searxng: ['searxngUrl'],
  brave: ['braveUrl', 'braveKey'],
};
const addresses: readonly TextSetting[] = [
  ...(['arxivUrl', 'semanticScholarUrl', 'crossrefUrl'] as const),
  ...(['europepmcUrl', 'openalexUrl', 'searxngUrl', 'braveUrl'] as const),
];
const keys: readonly TextSetting[] = ['semanticScholarKey', 'openalexKey', 'braveKey'];

export interface ChosenLane {
  lane: LaneName;
  /** In order of preference. */
  providers: ProviderName[];
}

/**
 * The lanes that are on, with the providers of each. Throws `usage` and names the variable that is
 * missing or wrong. The message never shows its value, which may be secret.
 */
export function chosenLanes(settings: Settings): ChosenLane[] {
  assertWellFormed(settings);
  const chosen = chosenNames(settings).map((lane) => ({
    lane,
    providers: lane === 'web' ? webProvidersOf(settings) : [lane],
  }));
  for (const provider of chosen.flatMap(({ providers }) => providers)) {
    for (const name of required[provider] ?? []) {
      if (settings[name] !== '') continue;
      throw new VerbatimError(
        'usage',
        `${provider} needs ${settingsTable[name].variable}; ` +
          `set it, or leave the lane out of ${settingsTable.lanes.variable}`,
      );
    }
  }
  return chosen;
}

/** The account that a provider sees. A backoff does not apply to another account. */
export function accountOf(provider: ProviderName, settings: Settings): string[] {
  return accounts[provider].map((name) => settings[name]);
}

/** Requests in a day to each provider of a lane. 0: no cap. */
export function requestsPerDayMaxOf(lane: LaneName, settings: Settings): number {
  if (lane === 'arxiv') return settings.arxivRequestsPerDayMax;
  if (lane === 'web') return settings.webRequestsPerDayMax;
  return settings.semanticScholarRequestsPerDayMax;
}

/** How requests name this program, with the contact address if there is one. */
export function userAgentOf({ laneContact }: Pick<Settings, 'laneContact'>): string {
  const contact = laneContact === '' ? '' : ` (mailto:${laneContact})`;
  return `verbatim/${version}${contact}`;
}

/** Origins that the operator set instead of the defaults. They may be on a private network. */
export function trustedOrigins(settings: Settings): Set<string> {
  const named = addresses.filter((name) => settings[name] !== settingsTable[name].value);
  return new Set(
    named.filter((name) => settings[name] !== '').map((name) => new URL(settings[name]).origin),
  );
}

function chosenNames({ lanes, laneContact }: Settings): LaneName[] {
  if (lanes === 'none') return [];
  if (lanes === '') return laneContact === '' ? [] : [...laneNames];
  const named = lanes.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !laneNames.some((lane) => lane === name));
  if (unknown === undefined) return laneNames.filter((lane) => named.includes(lane));
  throw invalidSetting('lanes', `must be some of ${laneNames.join(',')}, or none`);
}

function webProvidersOf({ webProvider }: Settings): ProviderName[] {
  const named = webProvider.split(',').map((name) => name.trim());
  const providers = named.flatMap((name) => webProviders.find((known) => known === name) ?? []);
  if (providers.length === named.length && new Set(named).size === named.length) return providers;
  throw invalidSetting('webProvider', `must be some of ${webProviders.join(', ')}, each once`);
}

function assertWellFormed(settings: Settings): void {
  if (!/^([^\s@<>()]+@[^\s@<>()]+)?$/.test(settings.laneContact)) {
    throw invalidSetting('laneContact', 'must be an e-mail address');
  }
  for (const name of keys) {
    if (!/^[\x21-\x7e]*$/.test(settings[name])) {
      throw invalidSetting(name, 'must be printable characters without spaces');
    }
  }
  for (const name of addresses) {
    const text = settings[name];
    if (text !== '' && !isBaseAddress(text)) {
      throw invalidSetting(name, 'must be an http or https address without a user name');
    }
  }
}

/** Whether a text is an address of http or https without a user name and a password. */
export function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function invalidSetting(name: TextSetting, rule: string): VerbatimError {
  return new VerbatimError('usage', `${settingsTable[name].variable} ${rule}`);
}
