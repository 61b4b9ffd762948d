/** Which references of a request the lanes look up, and what they said about them. */
import { schemes } from '../identity/identifiers.ts';
import { allowedLanes, type LaneChoice, type LaneName } from '../settings/lane-choice.ts';
import type { LaneAnswers } from '../types.ts';
import type { LookedUpReference } from '../verify/references/outside.ts';
import { relationTo, type SoughtReference } from '../verify/references/sought.ts';
import { recordOf } from './lane/kept-record.ts';
import type { LaneDocument, Lanes, LookedUp } from './lane/lane.ts';

export interface LookUpLimits {
  verifyLookUpsMax: number;
  verifyLookUpMsMax: number;
}

export interface LookUpPlan {
  /** The lanes that the request names. */
  named: readonly LaneName[];
  /** Those that may be asked. */
  allowed: readonly LaneName[];
  /** Which are looked up. */
  asked: readonly SoughtReference[];
  /** The others. */
  others: readonly SoughtReference[];
  limits: LookUpLimits;
}

/** `choices`: of the request and of whoever else decides. `names`: the lanes that are on. */
export function planLookUps(
  sought: readonly SoughtReference[],
  {
    choices,
    names,
  }: { choices: [request: LaneChoice, ...LaneChoice[]]; names: readonly LaneName[] },
  limits: LookUpLimits,
): LookUpPlan {
  const allowed = allowedLanes(choices).filter((lane) => names.includes(lane));
  const count = allowed.length === 0 ? 0 : limits.verifyLookUpsMax;
  const [asked, others] = [sought.slice(0, count), sought.slice(count)];
  return { named: allowedLanes([choices[0]]), allowed, asked, others, limits };
}

/**
 * Resolves to what the lanes said about those that were asked, and then to the others. `lookUp` is
 * undefined if no lane is on; then none was asked.
 */
export async function lookUpReferences(
  { named, allowed, asked, others, limits }: LookUpPlan,
  lookUp: Lanes['lookUp'] | undefined,
): Promise<LookedUpReference[]> {
  const deadline = performance.now() + limits.verifyLookUpMsMax;
  const silent = Object.fromEntries(
    named.map((lane) => [lane, allowed.includes(lane) ? 'not_asked' : 'not_allowed'] as const),
  );
  const rest = others.map(({ at }) => ({ at, answers: silent, records: [] }));
  if (lookUp === undefined) return rest;
  const found = asked.map(async (one) => {
    const { identifiers, titles, author } = one;
    const isSought = (document: LaneDocument): boolean => relationTo(one, document) === 'same';
    const reference = { identifiers, title: titles[0] ?? '', author };
    const { documents, answers } = await lookUp(reference, { allowed, deadline, isSought });
    return { at: one.at, answers: { ...silent, ...answers }, records: recordsOf(one, documents) };
  });
  return [...(await Promise.all(found)), ...rest];
}

/** Whether a lane said what it has. */
export function isAnswered(answers: LaneAnswers): boolean {
  return Object.values(answers).includes('answered');
}

/** A document without a title is a notice about another one. */
function mayMatter(sought: SoughtReference, document: LaneDocument): boolean {
  const isIdentified = schemes.some((scheme) => {
    const value = sought.identifiers[scheme];
    return value !== undefined && document.identifiers[scheme] === value;
  });
  return document.title === '' || isIdentified || relationTo(sought, document) !== 'other';
}

/** The records that matter for a verdict. */
function recordsOf(
  sought: SoughtReference,
  documents: LookedUp['documents'],
): LookedUpReference['records'] {
  return documents
    .filter((one) => mayMatter(sought, one))
    .map(({ lane, withheld, ...document }) => ({
      lane,
      // The verdict does not use the abstract.
      record: { ...recordOf({ ...document, abstract: '' }), ...(withheld && { withheld }) },
    }));
}
