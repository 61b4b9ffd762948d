/** The lanes that customers allow for their questions. */
import { VerbatimError } from '../errors.ts';
import { LANE_CHOICE_ADVICE, type LaneChoice, parseLaneChoice } from '../settings/lane-choice.ts';
import type { AccountDeps } from './account-deps.ts';
import type { OwnKeyName } from './sql/own-keys.ts';

/** Sets or clears (null) the choice for all keys of a customer. Throws `bad_request`. */
export async function setLanes(
  deps: AccountDeps,
  input: { customerId: number; lanes: LaneChoice },
): Promise<void> {
  assertLanes(input.lanes);
  await deps.store.setCustomerLanes(input);
}

/**
 * Sets or clears (null) the choice for one key. Throws `not_found` if the customer has no such key,
 * and `bad_request`.
 */
export async function setLanesOfKey(
  deps: AccountDeps,
  input: OwnKeyName & { lanes: LaneChoice },
): Promise<void> {
  assertLanes(input.lanes);
  await deps.store.setOwnKeyLanes(input);
}

function assertLanes(lanes: LaneChoice): void {
  if (lanes === null || parseLaneChoice(lanes) === lanes) return;
  throw new VerbatimError('bad_request', `lanes: expected ${LANE_CHOICE_ADVICE}`);
}
