/** Lanes whose providers are stubs on loopback, for one question after the other. */
import { readSettings, type Settings } from '../../../src/config.ts';
import { createLanes, type LanesDeps } from '../../../src/fallback/create-lanes.ts';
import type { LaneDocument, LaneReport, Lanes } from '../../../src/fallback/lane/lane.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';

/** What would make tests slow is short in them. */
export const quickSettings: Partial<Settings> = {
  laneContact: 'ops@example.org',
  arxivGapMs: 1,
  semanticScholarGapMs: 1,
  webGapMs: 1,
  laneAnswerMsMin: 1,
  laneBackoffMs: 20,
  // A machine may be busy with other things: only who is told to hang takes so long.
  laneTimeoutMs: 60_000,
  laneWaitMsMax: 60_000,
};

export function openLanes(settings: Partial<Settings>, deps: Partial<LanesDeps> = {}): Lanes {
  const all = readSettings({ ...quickSettings, ...settings }, {});
  return createLanes({ settings: all, split: splitSentences, ...deps });
}

/** Where the answer never comes, as the outcome says, it is not waited for long. */
export function waitFor(outcome: string): Partial<Settings> {
  return outcome === 'failed: timeout' ? { laneTimeoutMs: 400 } : {};
}

/** The settings of one lane alone, at an address. */
export function onlyArxiv(url: string): Partial<Settings> {
  return { lanes: 'arxiv', arxivUrl: url };
}

export function onlySemanticScholar(url: string, semanticScholarKey = ''): Partial<Settings> {
  return { lanes: 'semantic_scholar', semanticScholarUrl: url, semanticScholarKey };
}

export function onlyWeb(webProvider: string, url: string): Partial<Settings> {
  const literature = { crossrefUrl: url, europepmcUrl: url, openalexUrl: url };
  const addresses = { searxngUrl: url, braveUrl: url };
  return { lanes: 'web', webProvider, braveKey: 'brave-secret', ...literature, ...addresses };
}

export interface Asked {
  documents: LaneDocument[];
  /** Ids of those that are not to be shown, and why. */
  withheld: Record<string, string>;
  report: LaneReport;
}

/** The answer of the one lane that is on. */
export async function askOne(lanes: Lanes, query = 'does sleep help memory'): Promise<Asked> {
  const { documents, reports } = await lanes.ask(query, performance.now() + 60_000);
  const isShown = (document: LaneDocument): boolean => document.withheld === undefined;
  const withheld = documents.filter((document) => !isShown(document));
  return {
    documents: documents.filter(isShown),
    withheld: Object.fromEntries(withheld.map((one) => [one.id, String(one.withheld)])),
    report: reports[0] as LaneReport,
  };
}

/** One question to fresh lanes, which are closed again. */
export async function askOnce(settings: Partial<Settings>, query?: string): Promise<Asked> {
  const lanes = openLanes(settings);
  try {
    return await askOne(lanes, query);
  } finally {
    await lanes.close();
  }
}

/** `answered`, or why not, as one word: `failed: timeout`. */
export function outcomeOf({ report }: Asked): string {
  return report.reason === '' ? report.outcome : `${report.outcome}: ${report.reason}`;
}

/** A document as a customer might be shown it: its ids and all sentences that may be quoted. */
export function essenceOf(document: LaneDocument) {
  const { id, title, year, authors, abstract, excerpt } = document;
  const quotable = excerpt?.sentences.map(({ start, end }) => excerpt.text.slice(start, end));
  return { id, title, year, authors, abstract, ...(quotable === undefined ? {} : { quotable }) };
}
