/** Which lanes the settings switch on, and whether they have what each of them needs. Pure. */
import { type Settings, settingsTable } from '../config.ts';
import { VerbatimError } from '../errors.ts';
import { type LaneName, laneNames, type ProviderName } from './lane.ts';

const webProviders: readonly ProviderName[] = ['crossref', 'openalex', 'searxng', 'brave'];

type TextSetting = {
  [Name in keyof Settings]: Settings[Name] extends string ? Name : never;
}[keyof Settings];

/** Settings without which a provider is not asked: whose servers we use wants to know who we are. */
const required: Partial<Record<ProviderName, readonly TextSetting[]>> = {
  arxiv: ['laneContact'],
  crossref: ['laneContact'],
  searxng: ['searxngUrl'],
  brave: ['braveKey'],
};
const addresses: readonly TextSetting[] = [
  ...(['arxivUrl', 'semanticScholarUrl', 'crossrefUrl'] as const),
  ...(['openalexUrl', 'searxngUrl', 'braveUrl'] as const),
];
const keys: readonly TextSetting[] = ['semanticScholarKey', 'openalexKey', 'braveKey'];

/**
 * The providers to ask, one for each lane that is on, in the order of the lanes. Throws `usage`
 * naming the variable that is missing or wrong; what it holds may be secret and is not shown.
 */
export function chosenProviders(settings: Settings): ProviderName[] {
  assertWellFormed(settings);
  const lanes = chosenLanes(settings);
  const chosen = lanes.map((lane) => (lane === 'web' ? webProviderOf(settings) : lane));
  for (const provider of chosen) {
    for (const name of required[provider] ?? []) {
      if (settings[name] !== '') continue;
      throw new VerbatimError(
        'usage',
        `the lane of ${provider} needs ${settingsTable[name].variable}; ` +
          `without it, leave the lane out of ${settingsTable.lanes.variable}`,
      );
    }
  }
  return chosen;
}

/** Origins that the operator named instead of the defaults: they may be on this machine. */
export function trustedOrigins(settings: Settings): Set<string> {
  const named = addresses.filter((name) => settings[name] !== settingsTable[name].value);
  return new Set(
    named.filter((name) => settings[name] !== '').map((name) => new URL(settings[name]).origin),
  );
}

function chosenLanes({ lanes, laneContact }: Settings): LaneName[] {
  if (lanes === 'none') return [];
  if (lanes === '') return laneContact === '' ? [] : [...laneNames];
  const named = lanes.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !laneNames.some((lane) => lane === name));
  if (unknown === undefined) return laneNames.filter((lane) => named.includes(lane));
  throw wrong('lanes', `must be some of ${laneNames.join(',')}, or none`);
}

function webProviderOf({ webProvider }: Settings): ProviderName {
  const provider = webProviders.find((name) => name === webProvider);
  if (provider === undefined)
    throw wrong('webProvider', `must be one of ${webProviders.join(', ')}`);
  return provider;
}

function assertWellFormed(settings: Settings): void {
  if (!/^([^\s@<>()]+@[^\s@<>()]+)?$/.test(settings.laneContact)) {
    throw wrong('laneContact', 'must be an e-mail address');
  }
  for (const name of keys) {
    if (!/^[\x21-\x7e]*$/.test(settings[name])) {
      throw wrong(name, 'must be printable characters without blanks');
    }
  }
  for (const name of addresses) {
    const text = settings[name];
    if (text !== '' && !isBaseAddress(text)) {
      throw wrong(name, 'must be an http or https address without a user name');
    }
  }
}

function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function wrong(name: TextSetting, rule: string): VerbatimError {
  return new VerbatimError('usage', `${settingsTable[name].variable} ${rule}`);
}
