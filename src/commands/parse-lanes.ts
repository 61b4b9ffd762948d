/** The argument of the commands that set the allowed lanes. */
import { InvalidArgumentError } from 'commander';
import { LANE_CHOICE_ADVICE, type LaneChoice, parseLaneChoice } from '../settings/lane-choice.ts';

/** All lanes, whichever are on. */
export const ALL = 'all';

/** The syntax, for help. */
export const LANES_ARGUMENT = `${ALL}, none, or names with commas between them: arxiv,semantic_scholar,web`;

export function parseLanes(text: string): LaneChoice {
  if (text === ALL) return null;
  const choice = parseLaneChoice(text);
  if (choice !== undefined) return choice;
  throw new InvalidArgumentError(`It must be "${ALL}", ${LANE_CHOICE_ADVICE}.`);
}

/** The same for an option, whose value Commander does not let be null. */
export function parseLanesOption(text: string): string {
  return parseLanes(text) ?? ALL;
}

export function describeLanes(lanes: LaneChoice): string {
  return lanes ?? ALL;
}
