/** Which lanes a question may go to: the choices of a customer, a key, and a request. */
import type { Provenance } from '../types.ts';

export type LaneName = Exclude<Provenance, 'corpus'>;

export const laneNames: readonly LaneName[] = ['arxiv', 'semantic_scholar', 'web'];

/** `none`, or lane names joined by commas in a fixed order. null: no choice was made. */
export type LaneChoice = string | null;

const NONE = 'none';

/** The syntax, for messages. */
export const LANE_CHOICE_ADVICE = `"${NONE}", or some of ${laneNames.join(', ')} with commas between them`;

/** The choice in its normal form. Undefined if the text is not a choice. */
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
