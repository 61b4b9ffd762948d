/** Gathers what is known of this server, and says what is wrong, and since when. */
import type { AccountStore } from '../../accounts/ports/account-store.ts';
import type { DamageRegister } from '../../database/damage/damage-register.ts';
import type { Settings } from '../../settings/config.ts';
import type { ServerHistory } from '../server-history.ts';
import type { ServiceNumbers } from '../service-numbers.ts';
import {
  type AlertChoices,
  type AlertKind,
  alertTable,
  type Condition,
  conditionsOf,
} from './alert-kinds.ts';

export interface ConditionSources {
  history: Pick<ServerHistory, 'numbers' | 'samples'>;
  damage: Pick<DamageRegister, 'all'>;
  store: Pick<AccountStore, 'listAlertSettings' | 'listAlertStates' | 'saveAlertState'> &
    Pick<AccountStore, 'countReviews' | 'listOperatorAddresses'>;
  settings: Pick<Settings, 'stripeSecretKey'>;
  now: () => number;
}

/** A condition with its time. */
export type TimedCondition = Condition & { since: number };

const WINDOW_MS = 300_000;
const DAY_MS = 86_400_000;

/** Returns the function that reads. `since` has the times that are known, and gets those of new conditions. */
export function createConditionReader(
  { history, damage, store, settings, now }: ConditionSources,
  since: Map<AlertKind, number>,
): (numbers: ServiceNumbers, choices: AlertChoices) => Promise<TimedCondition[]> {
  const laneSince = new Map<string, number>();
  return async (numbers, choices) => {
    const at = now();
    const down = numbers.lanes.filter(({ state }) => state === 'open');
    const names = down.map(({ provider }) => provider);
    for (const name of laneSince.keys()) if (!names.includes(name)) laneSince.delete(name);
    for (const name of names) laneSince.set(name, laneSince.get(name) ?? at);
    const recent = history.samples().filter(({ endedAt }) => endedAt > at - WINDOW_MS);
    const disputesSince = at - choices.disputes.threshold * DAY_MS;
    const problemsSince = at - choices.payments.threshold * DAY_MS;
    const facts = {
      ...numbers,
      now: at,
      damage: damage.all(),
      lanesDown: [...laneSince].map(([name, from]) => ({ name, since: from })),
      calls: recent.reduce((sum, { calls }) => sum + calls, 0),
      callsFailed: recent.reduce((sum, { callsFailed }) => sum + callsFailed, 0),
      reviews:
        settings.stripeSecretKey === ''
          ? undefined
          : await store.countReviews({ disputesSince, problemsSince }).catch(() => undefined),
    };
    const found = conditionsOf(facts, choices).map((one) => {
      const known = alertTable[one.kind].isShared ? undefined : since.get(one.kind);
      return { ...one, since: known ?? one.since ?? at };
    });
    since.clear();
    for (const one of found) since.set(one.kind, one.since);
    return found;
  };
}
