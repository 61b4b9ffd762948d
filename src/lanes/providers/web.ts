/** What providers of the web lane have in common. */
import { stringOf } from '../json.ts';

export interface WebSettings {
  webGapMs: number;
  webConcurrencyMax: number;
  laneResultsMax: number;
  laneQueryCharactersMax: number;
}

/** The address of a page on the web, '' for anything else: links of scripts, paths, rubbish. */
export function pageAddress(value: unknown): string {
  const text = stringOf(value).trim();
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
