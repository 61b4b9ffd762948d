/** What the tool `verify` says about items: the doubtful first, within a budget of tokens. Pure. */
import { estimateTokens } from '../search/token-estimate.ts';
import { doubtfulFirst, doubtOf } from '../verify/manuscript/verdict-words.ts';
import type { VerifyItem, VerifyResult } from '../verify/open-verify.ts';
import { visibleText } from './visible-text.ts';

/** An object of the answer. */
type Described = Record<string, unknown>;

export interface VerifiedItems {
  items: Described[];
  /** Items without details, because there was no room for them. */
  shortened: number;
  /** Items of which not even the verdict fits. */
  dropped: number;
}

/** Of a reference, only the beginning is repeated, so that a reader knows which one is meant. */
const CITED_CHARACTERS_MAX = 80;

/** Names of fields in the API, and those that all tools use for the same. */
const toolNames: Readonly<Record<string, string>> = { d: 'id', t: 'title', src: 'source' };
/** Offsets are of no use to a language model, and `changes` says what `diff` shows. */
const leftOut: readonly string[] = ['start', 'end', 'format', 'diff', 'share'];

/** Describes results, which are in the order of the items. `tokensMax` is an estimate. */
export function describeVerified(
  items: readonly VerifyItem[],
  results: readonly VerifyResult[],
  tokensMax: number,
): VerifiedItems {
  const ordered = doubtfulFirst(results.map((result, at) => ({ ...result, at }))).map(
    ({ at, ...result }) => ({
      brief: visible(briefOf(result, at)),
      full: visible(fullOf(result, at, items[at])),
    }),
  );
  let left = tokensMax;
  const fitting = ordered.filter(({ brief }) => {
    left -= tokensOf(brief);
    return left >= 0;
  });
  left = Math.max(left, 0);
  let shortened = 0;
  const described = fitting.map(({ brief, full }) => {
    const more = tokensOf(full) - tokensOf(brief);
    if (more > left) {
      shortened++;
      return brief;
    }
    left -= more;
    return full;
  });
  return { items: described, shortened, dropped: ordered.length - fitting.length };
}

function tokensOf(described: Described): number {
  return estimateTokens(JSON.stringify(described).length);
}

function briefOf(result: VerifyResult, at: number): Described {
  const { kind, verdict, d } = result;
  const assessment = 'assessment' in result ? result.assessment : undefined;
  return { item: at + 1, kind, verdict, assessment, id: d };
}

/** What is beyond doubt is described briefly, unless there are notices about the paper. */
function fullOf(result: VerifyResult, at: number, item: VerifyItem | undefined): Described {
  const brief = briefOf(result, at);
  const notices = 'notices' in result ? result.notices : undefined;
  if (doubtOf(result) === 'none') return { ...brief, notices };
  const described = { ...brief, cited: beginningOf(item), ...named(result) };
  const { other, fields } = described as { other?: object; fields?: { verdict: string }[] };
  return {
    ...described,
    other: other && named(other),
    fields: fields?.filter(({ verdict }) => verdict !== 'same'),
  };
}

/** Names papers as the other tools do. */
function named(fields: object): Described {
  const entries = Object.entries(fields).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [toolNames[name] ?? name, value]));
}

function beginningOf(item: VerifyItem | undefined): string | undefined {
  if (item === undefined || !('reference' in item)) return undefined;
  const { reference } = item;
  const text = typeof reference === 'string' ? reference : reference['title'];
  return typeof text === 'string' ? text.slice(0, CITED_CHARACTERS_MAX) : undefined;
}

function visible(described: Described): Described {
  return visibleTexts(described) as Described;
}

/** Frees all texts within a value of invisible characters. */
function visibleTexts(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, visibleTexts(part)]),
  );
}
