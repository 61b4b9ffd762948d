/** Puts the lanes that the settings switch on together. */
import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import { version } from '../version.ts';
import type { LaneCache } from './cache.ts';
import type { DocumentContext } from './document.ts';
import { createGovernedLane } from './governed-lane.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { Lanes, ProviderName } from './lane.ts';
import { chosenProviders, trustedOrigins } from './lane-settings.ts';
import type { Provider } from './provider.ts';
import { createArxiv } from './providers/arxiv.ts';
import { createBrave } from './providers/brave.ts';
import { createCrossref } from './providers/crossref.ts';
import { createOpenalex } from './providers/openalex.ts';
import { createSearxng } from './providers/searxng.ts';
import { createSemanticScholar } from './providers/semantic-scholar.ts';
import type { SplitSentences } from './whole-sentences.ts';

export interface LanesParts {
  settings: Settings;
  /** Finds the sentences of texts that were cut. */
  split: SplitSentences;
  /** Without one, nothing is kept. */
  cache?: LaneCache;
  log?: Log;
  /** Instead of one over the network. */
  client?: HttpClient;
}

const creators: Record<ProviderName, (settings: Settings, context: DocumentContext) => Provider> = {
  arxiv: createArxiv,
  semantic_scholar: createSemanticScholar,
  crossref: createCrossref,
  openalex: createOpenalex,
  searxng: createSearxng,
  brave: createBrave,
};

/** Brave's terms forbid keeping results; SearXNG hands on those of engines with such terms. */
const notStorable: readonly ProviderName[] = ['searxng', 'brave'];

/**
 * The lanes that are on; none is a set that answers nothing at once. Throws `usage` where a
 * setting is wrong, or one that a lane needs is missing.
 */
export function createLanes(parts: LanesParts): Lanes {
  const { settings, split, cache, log } = parts;
  const providers = chosenProviders(settings);
  const client = parts.client ?? createClient(settings);
  const lanes = providers.map((name) => {
    const lane = name === 'arxiv' || name === 'semantic_scholar' ? name : 'web';
    const isStorable = !notStorable.includes(name);
    const provider = creators[name](settings, { lane, isStorable, limits: settings, split });
    const variant = variantOf(settings);
    return createGovernedLane({ provider, variant, client, limits: settings, cache, log });
  });
  return {
    async ask(query, deadline) {
      const answers = await Promise.all(lanes.map((lane) => lane.ask(query, deadline)));
      return {
        documents: answers.flatMap(({ documents }) => documents),
        reports: answers.map(({ report }) => report),
      };
    },
    states: () => lanes.map((lane) => lane.state()),
    async close() {
      for (const lane of lanes) lane.close();
      await client.close();
    },
  };
}

/** Settings that change what a provider answers. */
function variantOf(settings: Settings): string {
  const { laneResultsMax, laneWordsMax, laneQueryCharactersMax, semanticScholarKey } = settings;
  const hasKey = semanticScholarKey !== '';
  return JSON.stringify([laneResultsMax, laneWordsMax, laneQueryCharactersMax, hasKey]);
}

function createClient(settings: Settings): HttpClient {
  const contact = settings.laneContact === '' ? '' : ` (mailto:${settings.laneContact})`;
  return createHttpClient({
    userAgent: `verbatim/${version}${contact}`,
    timeoutMs: settings.laneTimeoutMs,
    responseBytesMax: settings.laneResponseBytesMax,
    trustedOrigins: trustedOrigins(settings),
  });
}
