/** Lanes whose providers are stubs on loopback. */

import { createLanes, type LanesDeps } from '../../../src/lanes/create-lanes.ts';
import type { LaneDocument, LaneReport, Lanes } from '../../../src/lanes/lane/lane.ts';
import { readSettings, type Settings } from '../../../src/settings/config.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';

/** Short waits, so that tests are fast. */
const quickSettings: Partial<Settings> = {
  laneContact: 'ops@example.org',
  arxivGapMs: 1,
  semanticScholarGapMs: 1,
  webGapMs: 1,
  laneAnswerMsMin: 1,
  laneBackoffMs: 20,
  // The machine may be busy. Only a hanging stub takes this long.
  laneTimeoutMs: 60_000,
  laneWaitMsMax: 60_000,
};

export function openLanes(settings: Partial<Settings>, deps: Partial<LanesDeps> = {}): Lanes {
  const all = readSettings({ ...quickSettings, ...settings }, {});
  return createLanes({ settings: all, split: splitSentences, ...deps });
}

/** A short timeout for cases in which the response never arrives. */
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
  /** Ids of withheld documents, with the reason. */
  withheld: Record<string, string>;
  report: LaneReport;
}

/** The response of the one lane that is on. */
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

/** Asks new lanes one question, and closes them. */
export async function askOnce(settings: Partial<Settings>, query?: string): Promise<Asked> {
  const lanes = openLanes(settings);
  try {
    return await askOne(lanes, query);
  } finally {
    await lanes.close();
  }
}

/** The outcome with its reason, such as `answered` or `failed: timeout`. */
export function outcomeOf({ report }: Asked): string {
  return report.reason === '' ? report.outcome : `${report.outcome}: ${report.reason}`;
}

/** What a customer may see of a document: its fields and all quotable sentences. */
export function essenceOf(document: LaneDocument) {
  const { id, title, year, authors, abstract, excerpt } = document;
  const quotable = excerpt?.sentences.map(({ start, end }) => excerpt.text.slice(start, end));
  return { id, title, year, authors, abstract, ...(quotable === undefined ? {} : { quotable }) };
}
