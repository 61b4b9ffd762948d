/**
 * Looks every minute for what is wrong, and tells operators on each channel: once when it begins, and once
 * when it is over. What was told is stored. While that fails, which is itself a reason for alerts, memory
 * knows it.
 */
import type { AlertState } from '../../accounts/sql/alert-rows.ts';
import { detailsOf, messageOf as reasonOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/config.ts';
import { every } from '../../workers/every.ts';
import type { ServiceNumbers } from '../service-numbers.ts';
import type { AlertChannel } from './alert-channels.ts';
import { type AlertKind, alertKinds, alertTable, choicesOf } from './alert-kinds.ts';
import { messageOf } from './alert-message.ts';
import {
  type ConditionSources,
  createConditionReader,
  type TimedCondition,
} from './condition-reader.ts';

export type AlertWatch = ReturnType<typeof createAlertWatch>;

export interface AlertWatchOptions extends ConditionSources {
  channels: readonly AlertChannel[];
  settings: Pick<Settings, 'alertCheckMs' | 'alertStartMs' | 'alertGapMs' | 'stripeSecretKey'>;
  /** Returns the name of this server among others, and the address of its pages. */
  place: () => { server: string; baseUrl: string };
  log: Log;
}

const keyOf = ({ kind, channel }: Pick<AlertState, 'kind' | 'channel'>) => `${kind} ${channel}`;

export function createAlertWatch(options: AlertWatchOptions) {
  const { history, channels, settings, place, log, now } = options;
  const since = new Map<AlertKind, number>();
  const readConditions = createConditionReader(options, since);
  const { states, refresh, choices, operators, save } = createMemory(options, since);
  let checking: Promise<void> = Promise.resolve();

  /** Tells what is to be told of a kind on a channel. */
  const tell = async (
    kind: AlertKind,
    condition: TimedCondition | undefined,
    channel: AlertChannel,
    at: number,
  ): Promise<void> => {
    const server = alertTable[kind].isShared ? '' : place().server;
    const none = { kind, server, channel: channel.name, isRaised: false, told: 0, triedAt: 0 };
    const old = states.get(keyOf(none)) ?? none;
    const isNews = condition ? !old.isRaised || condition.since > old.told : old.isRaised;
    if (!isNews || at - old.triedAt < settings.alertGapMs) return;
    // If the server ends here, operators are told again, rather than never.
    const tried = { ...old, triedAt: at };
    if (!(await save(tried, at - settings.alertGapMs))) return;
    try {
      await channel.send(messageOf(kind, condition, { ...place(), at }), operators());
      const told = condition?.since ?? old.told;
      await save({ ...tried, isRaised: condition !== undefined, told }, at);
    } catch (error) {
      log.error('alert_not_sent', { kind, channel: channel.name, reason: reasonOf(error) });
    }
  };
  const look = async (): Promise<void> => {
    const at = now();
    await refresh().catch((error) => log.debug('alerts_not_read', { reason: detailsOf(error) }));
    const numbers = await history.numbers();
    const found = await readConditions(numbers, choices());
    const isStarting = numbers.uptimeSeconds * 1000 < settings.alertStartMs;
    for (const kind of alertKinds) {
      if ((kind === 'searches' && isStarting) || !choices()[kind].isOn) continue;
      const condition = found.find((one) => one.kind === kind);
      for (const channel of channels) await tell(kind, condition, channel, at);
    }
  };
  /** Looks, and tells what is to be told. Never rejects. */
  const check = (): Promise<void> =>
    look().catch((error) => log.error('alerts_not_checked', { reason: detailsOf(error) }));
  const stop = every(settings.alertCheckMs, () => {
    checking = check();
    return checking;
  });
  return {
    check,
    /** Resolves to what is wrong now, the worst first. */
    conditions: (numbers: ServiceNumbers) => readConditions(numbers, choices()),
    /** Resolves to what operators chose. */
    async choices() {
      await refresh();
      return choices();
    },
    /** Sends a test on each channel. Resolves to why it reached nobody, for each one where that is so. */
    async sendTest(): Promise<string[]> {
      const message = messageOf('test', undefined, { ...place(), at: now() });
      const sent = await Promise.allSettled(
        channels.map((channel) => channel.send(message, operators())),
      );
      return sent.flatMap((one) => (one.status === 'rejected' ? [reasonOf(one.reason)] : []));
    },
    /** Looks no more. Resolves when a message under way was handed over. */
    async close() {
      stop();
      await checking;
    },
  };
}

/** What is stored of alerts, as far as it could be read and written. `since` gets what was told. */
function createMemory({ store, place }: AlertWatchOptions, since: Map<AlertKind, number>) {
  const states = new Map<string, AlertState>();
  let choices = choicesOf([]);
  let operators: string[] = [];

  /** Resolves to whether this server may act on a state: none has tried after `triedMax`. */
  const save = async (state: AlertState, triedMax: number): Promise<boolean> => {
    const saving = store.saveAlertState({ state, triedMax });
    // What all servers have together, another one may tell.
    const isOurs = await saving.catch(() => state.server !== '');
    if (isOurs) states.set(keyOf(state), state);
    return isOurs;
  };
  const refresh = async (): Promise<void> => {
    choices = choicesOf(await store.listAlertSettings());
    operators = await store.listOperatorAddresses();
    const stored = await store.listAlertStates({ server: place().server });
    const triedAt = new Map(stored.map((state) => [keyOf(state), state.triedAt]));
    for (const state of states.values()) {
      if (state.triedAt > (triedAt.get(keyOf(state)) ?? 0)) await save(state, state.triedAt);
    }
    for (const state of stored) {
      if (state.triedAt < (states.get(keyOf(state))?.triedAt ?? 0)) continue;
      states.set(keyOf(state), state);
      const kind = alertKinds.find((one) => one === state.kind);
      if (kind && state.isRaised && !since.has(kind)) since.set(kind, state.told);
    }
  };
  return { states, save, refresh, choices: () => choices, operators: () => operators };
}
