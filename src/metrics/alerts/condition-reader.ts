/** Gathers what is known of this server, and says what is wrong, and since when. */
import type { AccountStore } from '../../accounts/ports/account-store.ts';
import type { DamageRegister } from '../../database/damage/damage-register.ts';
import type { Settings } from '../../settings/config.ts';
import type { ServerHistory } from '../server-history.ts';
import type { ServiceNumbers } from '../service-numbers.ts';
import type { AlertChoice, AlertKind } from './alert-kinds.ts';
import { type Condition, conditionsOf, type Facts } from './conditions.ts';

export interface ConditionSources {
  history: Pick<ServerHistory, 'samples'>;
  damage: Pick<DamageRegister, 'all'>;
  store: Pick<AccountStore, 'countReviews'>;
  settings: Pick<Settings, 'stripeSecretKey'>;
  now: () => number;
}

/** A condition with its time. */
export type TimedCondition = Condition & { since: number };

type Choices = Readonly<Record<AlertKind, AlertChoice>>;

const WINDOW_MS = 300_000;
const DAY_MS = 86_400_000;

/** Returns the function that reads. `since` has the times that are known, and gets those of new conditions. */
export function createConditionReader(
  { history, damage, store, settings, now }: ConditionSources,
  since: Map<AlertKind, number>,
): (numbers: ServiceNumbers, choices: Choices) => Promise<TimedCondition[]> {
  const laneSince = new Map<string, number>();
  const countReviews = async (choices: Choices): Promise<Facts['reviews']> => {
    if (settings.stripeSecretKey === '') return undefined;
    const first = (kind: AlertKind): number => now() - choices[kind].threshold * DAY_MS;
    const input = { disputesSince: first('disputes'), problemsSince: first('payments') };
    return await store.countReviews(input).catch(() => undefined);
  };
  const lanesDown = ({ lanes }: ServiceNumbers): Facts['lanesDown'] => {
    const down = lanes.filter(({ state }) => state === 'open').map(({ provider }) => provider);
    for (const name of laneSince.keys()) if (!down.includes(name)) laneSince.delete(name);
    for (const name of down) if (!laneSince.has(name)) laneSince.set(name, now());
    return [...laneSince].map(([name, at]) => ({ name, since: at }));
  };
  return async (numbers, choices) => {
    const at = now();
    const recent = history.samples().filter(({ endedAt }) => endedAt > at - WINDOW_MS);
    const facts: Facts = {
      ...numbers,
      now: at,
      startedAt: at - numbers.uptimeSeconds * 1000,
      damage: damage.all(),
      lanesDown: lanesDown(numbers),
      calls: recent.reduce((sum, { calls }) => sum + calls, 0),
      callsFailed: recent.reduce((sum, { callsFailed }) => sum + callsFailed, 0),
      reviews: await countReviews(choices),
    };
    const found = conditionsOf(facts, choices).map((one) => ({
      ...one,
      since: one.since ?? since.get(one.kind) ?? at,
    }));
    since.clear();
    for (const one of found) since.set(one.kind, one.since);
    return found;
  };
}
