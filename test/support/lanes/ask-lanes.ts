/** Lanes whose providers are stubs on loopback, for one question after the other. */
import { readSettings, type Settings } from '../../../src/config.ts';
import { createLanes, type LanesParts } from '../../../src/lanes/create-lanes.ts';
import type { LaneDocument, LaneReport, Lanes } from '../../../src/lanes/lane.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';

/** What would make tests slow is short in them. */
export const quickSettings: Partial<Settings> = {
  laneContact: 'ops@example.org',
  ...{ arxivGapMs: 1, semanticScholarGapMs: 1, webGapMs: 1 },
  ...{ laneTimeoutMs: 400, laneAnswerMsMin: 1, lanePauseMs: 20 },
};

export function openLanes(settings: Partial<Settings>, parts: Partial<LanesParts> = {}): Lanes {
  const all = readSettings({ ...quickSettings, ...settings }, {});
  return createLanes({ settings: all, split: splitSentences, ...parts });
}

/** The settings of one lane alone, at an address. */
export function onlyArxiv(url: string): Partial<Settings> {
  return { lanes: 'arxiv', arxivUrl: url };
}

export function onlySemanticScholar(url: string, semanticScholarKey = ''): Partial<Settings> {
  return { lanes: 'semantic_scholar', semanticScholarUrl: url, semanticScholarKey };
}

export function onlyWeb(webProvider: string, url: string): Partial<Settings> {
  const addresses = { crossrefUrl: url, openalexUrl: url, searxngUrl: url, braveUrl: url };
  return { lanes: 'web', webProvider, braveKey: 'brave-secret', ...addresses };
}

export interface Asked {
  documents: LaneDocument[];
  report: LaneReport;
}

/** The answer of the one lane that is on. */
export async function askOne(lanes: Lanes, query = 'does sleep help memory'): Promise<Asked> {
  const { documents, reports } = await lanes.ask(query, performance.now() + 3_000);
  return { documents, report: reports[0] as LaneReport };
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
