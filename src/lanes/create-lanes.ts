/** Puts the lanes together that the settings turn on. */

import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import { laneNames } from '../settings/lane-choice.ts';
import type { LaneDocument, Lanes, ProviderName } from './lane/lane.ts';
import type { Provider } from './lane/provider.ts';
import {
  accountOf,
  chosenLanes,
  requestsPerDayMaxOf,
  trustedOrigins,
  userAgentOf,
} from './lane-settings.ts';
import { createLookUp } from './look-up-reference.ts';
import { createArxiv } from './providers/arxiv.ts';
import { createBrave } from './providers/brave.ts';
import { createCrossref } from './providers/crossref.ts';
import { createEuropepmc } from './providers/europepmc.ts';
import { createOpenalex } from './providers/openalex.ts';
import { createSearxng } from './providers/searxng.ts';
import { createSemanticScholar, type KeyBlock } from './providers/semantic-scholar.ts';
import type { DocumentContext } from './providers/to-documents.ts';
import type { LaneCache } from './records/lane-cache.ts';
import type { ProviderRecords } from './records/lane-records.ts';
import { createAdaptiveDeadline } from './resilience/adaptive-deadline.ts';
import { createFailoverLane } from './resilience/failover-lane.ts';
import { backoffSubject, createInMemoryRecords } from './resilience/in-memory-records.ts';
import { createResilientLane, type ResilientLane } from './resilience/resilient-lane.ts';
import { plainLine } from './text/plain-text.ts';
import { redactContacts } from './text/redact-contacts.ts';
import type { SplitSentences } from './text/whole-sentences.ts';
import { createHttpClient, type HttpClient } from './transport/http-client.ts';

export interface LanesDeps {
  settings: Settings;
  /** Splits texts that search engines cut. */
  split: SplitSentences;
  /** Without a cache, every question is asked. */
  cache?: LaneCache;
  /** Without records, they are kept in memory. */
  records?: ProviderRecords;
  log?: Log;
  /** Replaces the client over the network. */
  client?: HttpClient;
  /** Asks every provider of a lane, and waits for each of them until the deadline. */
  isCheck?: boolean;
}

type CreateProvider = (
  settings: Settings,
  context: DocumentContext,
  keyBlock: KeyBlock,
) => Provider;

const creators: Record<ProviderName, CreateProvider> = {
  arxiv: createArxiv,
  semantic_scholar: createSemanticScholar,
  crossref: createCrossref,
  europepmc: createEuropepmc,
  openalex: createOpenalex,
  searxng: createSearxng,
  brave: createBrave,
};

/** Brave's terms of use forbid storing results. SearXNG passes on results of engines with such terms. */
const notStorable: readonly ProviderName[] = ['searxng', 'brave'];

/**
 * The lanes that are on. If none is, a request returns nothing at once. Throws `usage` if a setting is
 * wrong, or one that a lane needs is missing.
 */
export function createLanes(deps: LanesDeps): Lanes {
  const { settings, isCheck = false } = deps;
  const chosen = chosenLanes(settings);
  const client = deps.client ?? createClient(settings);
  const shared = { ...deps, client, records: deps.records ?? createInMemoryRecords() };
  let lateListener: (documents: readonly LaneDocument[]) => void = () => {};
  const lanes = chosen.flatMap(({ lane, providers }): ResilientLane[] => {
    const resilient = providers.map((name) =>
      createResilientLane({
        ...shared,
        isCheck,
        onLateDocuments: (documents) => lateListener(documents),
        waitsForBackoff: providers.length === 1,
        limits: settings,
        provider: createProvider(name, lane, shared),
        subject: backoffSubject(name, accountOf(name, settings)),
        requestsPerDayMax: requestsPerDayMaxOf(lane, settings),
      }),
    );
    return isCheck ? resilient : [createFailoverLane(resilient)];
  });
  return {
    names: chosen.map(({ lane }) => lane),
    async ask(query, deadline, { allowed = laneNames, onResponse } = {}) {
      // Decode entities first, because they may hide an address.
      const question = redactContacts(plainLine(query));
      const allowedLanes = lanes.filter((lane) => allowed.includes(lane.name));
      const waitMsMax = isCheck ? Infinity : settings.laneWaitMsMax;
      const adaptive = createAdaptiveDeadline(deadline, waitMsMax);
      let pending = allowedLanes.length;
      const requests = allowedLanes.map(async (lane) => {
        const response = await lane.ask(question, adaptive);
        pending--;
        if (pending > 0 && response.documents.length > 0) onResponse?.(response.documents);
        const isNew = response.report.outcome === 'answered' && response.documents.length > 0;
        if (isNew && !isCheck && adaptive.shorten()) {
          for (const other of allowedLanes) other.dropTooLate();
        }
        return response;
      });
      const responses = await Promise.all(requests);
      adaptive.close();
      return {
        documents: responses.flatMap(({ documents }) => documents),
        reports: responses.map(({ report }) => report),
      };
    },
    lookUp: createLookUp(lanes),
    onLateDocuments(listener) {
      lateListener = listener;
    },
    states: () => lanes.flatMap((lane) => lane.states()),
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
      await client.close();
    },
  };
}

function createProvider(
  name: ProviderName,
  lane: DocumentContext['lane'],
  { settings, split, records }: LanesDeps & { records: ProviderRecords },
): Provider {
  const subject = backoffSubject(`${name} key`, accountOf(name, settings));
  const { laneBlockedMs } = settings;
  const isStorable = !notStorable.includes(name);
  const context = { lane, provider: name, isStorable, limits: settings, split };
  return creators[name](settings, context, {
    isBlocked: () => (records.backoffOf(subject)?.until ?? 0) > Date.now(),
    block() {
      const until = Date.now() + laneBlockedMs;
      records.setBackoff(subject, { reason: 'refused', until, consecutive: 0 });
    },
  });
}

/** `timeoutMs`: of a response, or of each piece of one that is streamed. `origins`: trusted besides. */
export function createClient(
  settings: Settings,
  { timeoutMs = settings.laneTimeoutMs, origins = [] as readonly string[] } = {},
): HttpClient {
  return createHttpClient({
    userAgent: userAgentOf(settings),
    timeoutMs,
    responseBytesMax: settings.laneResponseBytesMax,
    trustedOrigins: new Set([...trustedOrigins(settings), ...origins]),
  });
}
