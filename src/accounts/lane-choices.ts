/** The lanes that customers allow for their questions. */
import { VerbatimError } from '../errors.ts';
import { LANE_CHOICE_ADVICE, type LaneChoice, parseLaneChoice } from '../settings/lane-choice.ts';
import type { AccountDeps } from './account-deps.ts';

/** Sets or clears (null) the choice for all keys of a customer. Throws `bad_request`. */
export async function setLanes(
  deps: AccountDeps,
  input: { customerId: number; lanes: LaneChoice },
): Promise<void> {
  assertLanes(input.lanes);
  await deps.store.setCustomerLanes(input);
}

/** Throws `bad_request` for what is no choice. */
export function assertLanes(lanes: LaneChoice): void {
  if (lanes === null || parseLaneChoice(lanes) === lanes) return;
  throw new VerbatimError('bad_request', `lanes: expected ${LANE_CHOICE_ADVICE}`);
}
