/** Puts the lanes that the settings switch on together. */
import type { Settings } from '../config.ts';
import { laneNames } from '../lane-choice.ts';
import type { Log } from '../log.ts';
import { version } from '../version.ts';
import type { LaneDocument, Lanes, ProviderName } from './lane/lane.ts';
import type { Provider } from './lane/provider.ts';
import { accountOf, chosenLanes, requestsPerDayMaxOf, trustedOrigins } from './lane-settings.ts';
import { createArxiv } from './providers/arxiv.ts';
import { createBrave } from './providers/brave.ts';
import { createCrossref } from './providers/crossref.ts';
import { createEuropepmc } from './providers/europepmc.ts';
import { createOpenalex } from './providers/openalex.ts';
import { createSearxng } from './providers/searxng.ts';
import { createSemanticScholar, type KeyBlock } from './providers/semantic-scholar.ts';
import type { DocumentContext } from './providers/to-documents.ts';
import { createAdaptiveDeadline } from './resilience/adaptive-deadline.ts';
import type { LaneCache } from './resilience/document-cache.ts';
import { createFailoverLane } from './resilience/failover-lane.ts';
import {
  backoffSubject,
  createInMemoryRecords,
  type ProviderRecords,
} from './resilience/in-memory-records.ts';
import { createResilientLane, type ResilientLane } from './resilience/resilient-lane.ts';
import { plainLine } from './text/plain-text.ts';
import { redactContacts } from './text/redact-contacts.ts';
import type { SplitSentences } from './text/whole-sentences.ts';
import { createHttpClient, type HttpClient } from './transport/http-client.ts';

export interface LanesDeps {
  settings: Settings;
  /** Finds the sentences of texts that were cut. */
  split: SplitSentences;
  /** Without one, nothing is kept. */
  cache?: LaneCache;
  /** Without them, they are this process's own. */
  records?: ProviderRecords;
  log?: Log;
  /** Instead of one over the network. */
  client?: HttpClient;
  /** Every provider is asked, and waited for until the deadline: a check of all of them. */
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

/** Brave's terms forbid keeping results; SearXNG hands on those of engines with such terms. */
const notStorable: readonly ProviderName[] = ['searxng', 'brave'];

/**
 * The lanes that are on; none is a set that answers nothing at once. Throws `usage` where a
 * setting is wrong, or one that a lane needs is missing.
 */
export function createLanes(deps: LanesDeps): Lanes {
  const { settings, isCheck = false } = deps;
  const chosen = chosenLanes(settings);
  const client = deps.client ?? createClient(settings);
  const shared = { ...deps, client, records: deps.records ?? createInMemoryRecords() };
  let tellLate: (documents: readonly LaneDocument[]) => void = () => {};
  const onLate = (documents: readonly LaneDocument[]): void => tellLate(documents);
  const lanes = chosen.flatMap(({ lane, providers }): ResilientLane[] => {
    const waitsForPauses = providers.length === 1;
    const governed = providers.map((name) =>
      createResilientLane({
        ...shared,
        isCheck,
        onLateDocuments: onLate,
        waitsForBackoff: waitsForPauses,
        limits: settings,
        provider: createProvider(name, lane, shared),
        subject: backoffSubject(name, accountOf(name, settings)),
        requestsPerDayMax: requestsPerDayMaxOf(lane, settings),
      }),
    );
    return isCheck ? governed : [createFailoverLane(governed)];
  });
  return {
    names: chosen.map(({ lane }) => lane),
    async ask(query, deadline, { allowed = laneNames, onResponse } = {}) {
      // Entities first, which may hide an address.
      const question = redactContacts(plainLine(query));
      const mayAsk = lanes.filter((lane) => allowed.includes(lane.name));
      const patienceMs = isCheck ? Infinity : settings.lanePatienceMs;
      const patience = createAdaptiveDeadline(deadline, patienceMs);
      let waitedFor = mayAsk.length;
      const asked = mayAsk.map(async (lane) => {
        const answer = await lane.ask(question, patience);
        waitedFor--;
        if (waitedFor > 0 && answer.documents.length > 0) onResponse?.(answer.documents);
        const isFound = answer.report.outcome === 'answered' && answer.documents.length > 0;
        if (isFound && !isCheck && patience.shorten()) {
          for (const other of mayAsk) other.dropTooLate();
        }
        return answer;
      });
      const answers = await Promise.all(asked);
      patience.close();
      return {
        documents: answers.flatMap(({ documents }) => documents),
        reports: answers.map(({ report }) => report),
      };
    },
    onLateDocuments(listener) {
      tellLate = listener;
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
    isBlocked: () => (records.pauseOf(subject)?.until ?? 0) > Date.now(),
    block() {
      const until = Date.now() + laneBlockedMs;
      records.setPause(subject, { reason: 'refused', until, inARow: 0 });
    },
  });
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
