/** Which lanes a question may go to: what a customer, a key and a request say of it. Pure. */
import type { Provenance } from './types.ts';

export type LaneName = Exclude<Provenance, 'corpus'>;

export const laneNames: readonly LaneName[] = ['arxiv', 'semantic_scholar', 'web'];

/** `none`, or names of lanes with commas between them, in one order; null: nothing is said. */
export type LaneChoice = string | null;

const NONE = 'none';

/** What may be written, for messages. */
export const LANE_CHOICE_ADVICE = `"${NONE}", or some of ${laneNames.join(', ')} with commas between them`;

/** The choice in its normal form; undefined for what is none. */
export function parseLaneChoice(text: string): string | undefined {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === NONE) return NONE;
  if (names.some((name) => !laneNames.some((lane) => lane === name))) return undefined;
  return laneNames.filter((lane) => names.includes(lane)).join(',');
}

/** The lanes that all choices allow. */
export function allowedLanes(choices: readonly LaneChoice[]): LaneName[] {
  return laneNames.filter((lane) =>
    choices.every((choice) => choice === null || choice.split(',').includes(lane)),
  );
}
