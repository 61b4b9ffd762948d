/**
 * Looks every minute for what is wrong, and tells operators: once when it begins, and once when it is
 * over. What was told is stored. While that fails, which is itself a reason for alerts, it is kept in
 * memory.
 */
import type { AccountStore } from '../../accounts/ports/account-store.ts';
import type { AlertSetting, AlertState } from '../../accounts/sql/alert-rows.ts';
import { detailsOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/config.ts';
import { every } from '../../workers/every.ts';
import type { ServerHistory } from '../server-history.ts';
import type { ServiceNumbers } from '../service-numbers.ts';
import {
  type AlertChoice,
  type AlertKind,
  alertKinds,
  alertTable,
  choicesOf,
} from './alert-kinds.ts';
import { messageOf, testMessage } from './alert-message.ts';
import {
  type ConditionSources,
  createConditionReader,
  type TimedCondition,
} from './condition-reader.ts';
import type { AlertSender, Delivery } from './deliver-alert.ts';

export interface AlertWatch {
  /** Resolves to what is wrong now, the worst first. */
  conditions(numbers: ServiceNumbers): Promise<TimedCondition[]>;
  /** Resolves to what operators chose, what they were told, and who gets mail. */
  read(): Promise<{
    choices: Readonly<Record<AlertKind, AlertChoice>>;
    states: ReadonlyMap<AlertKind, AlertState>;
    recipients: string[];
    hasChannel: boolean;
  }>;
  sendTest(): Promise<Delivery>;
  /** Looks, and tells what is to be told. Never rejects. */
  check(): Promise<void>;
  /** Looks no more. Resolves when a message under way was handed over. */
  close(): Promise<void>;
}

export interface AlertWatchOptions extends ConditionSources {
  history: Pick<ServerHistory, 'numbers' | 'samples'>;
  store: Pick<
    AccountStore,
    'listAlertSettings' | 'listAlertStates' | 'saveAlertState' | 'countReviews'
  >;
  sender: AlertSender;
  settings: Pick<
    Settings,
    'alertCheckMs' | 'alertStartMs' | 'alertGapMs' | 'alertAttemptsMax' | 'stripeSecretKey'
  >;
  /** Returns the name of this server among others. */
  server: () => string;
  log: Log;
}

export function createAlertWatch(options: AlertWatchOptions): AlertWatch {
  const { history, sender, settings, server, log, now } = options;
  const since = new Map<AlertKind, number>();
  const readConditions = createConditionReader(options, since);
  const memory = createMemory(options, since);
  const { states } = memory;
  let checking: Promise<void> = Promise.resolve();

  const conditions = (numbers: ServiceNumbers): Promise<TimedCondition[]> =>
    readConditions(numbers, memory.choices());
  const check = async (): Promise<void> => {
    try {
      // Before anything is read: what happens from now on is not told yet.
      const at = now();
      await memory.refresh();
      const numbers = await history.numbers();
      const found = await conditions(numbers);
      const isStarting = numbers.uptimeSeconds * 1000 < settings.alertStartMs;
      for (const kind of alertKinds) {
        if (kind === 'searches' && isStarting) continue;
        const condition = found.find((one) => one.kind === kind);
        await tell({ ...options, memory }, { kind, condition, at });
      }
    } catch (error) {
      log.error('alerts_not_checked', { reason: detailsOf(error) });
    }
  };
  const stop = every(settings.alertCheckMs, () => {
    checking = check();
    return checking;
  });
  return {
    conditions,
    async read() {
      await memory.refresh();
      const recipients = await sender.recipients();
      return { choices: memory.choices(), states, recipients, hasChannel: sender.hasChannel() };
    },
    sendTest: () => sender.send(testMessage(server(), now())),
    check,
    async close() {
      stop();
      await checking;
    },
  };
}

/** What is stored of alerts, as far as it could be read and written. */
interface Memory {
  states: Map<AlertKind, AlertState>;
  choices(): Record<AlertKind, AlertChoice>;
  refresh(): Promise<void>;
  /** Stores a state. Resolves to whether this server may act on it. */
  save(kind: AlertKind, state: AlertState): Promise<boolean>;
  /** Whether a state could not be stored yet. */
  isUnsaved(kind: AlertKind): boolean;
}

function createMemory(
  { store, server, log }: AlertWatchOptions,
  since: Map<AlertKind, number>,
): Memory {
  let chosen: readonly AlertSetting[] = [];
  const states = new Map<AlertKind, AlertState>();
  const unsaved = new Set<AlertKind>();
  return {
    states,
    choices: () => choicesOf(chosen),
    isUnsaved: (kind) => unsaved.has(kind),
    async refresh() {
      try {
        chosen = await store.listAlertSettings();
        for (const state of await store.listAlertStates({ server: server() })) {
          const kind = alertKinds.find((one) => one === state.kind);
          if (kind === undefined || unsaved.has(kind)) continue;
          states.set(kind, state);
          if (state.raisedAt !== null && !since.has(kind)) since.set(kind, state.raisedAt);
        }
      } catch (error) {
        log.debug('alerts_not_read', { reason: detailsOf(error) });
      }
    },
    async save(kind, state) {
      const { isShared } = alertTable[kind];
      // Nobody else has the state of this server.
      const before = isShared ? (states.get(kind)?.triedAt ?? 0) : null;
      try {
        const isOurs = await store.saveAlertState({ state, before });
        if (isOurs) states.set(kind, state);
        unsaved.delete(kind);
        return isOurs;
      } catch {
        if (isShared) return false;
        states.set(kind, state);
        unsaved.add(kind);
        return true;
      }
    },
  };
}

interface Seen {
  kind: AlertKind;
  /** Undefined: all is well. */
  condition: TimedCondition | undefined;
  /** When somebody looked. */
  at: number;
}

/** Tells what is to be told of a kind. */
async function tell(
  { memory, sender, settings, server }: AlertWatchOptions & { memory: Memory },
  { kind, condition, at }: Seen,
): Promise<void> {
  const place = alertTable[kind].isShared ? '' : server();
  const none = { raisedAt: null, told: null, toldAt: null, triedAt: 0, attempts: 0 };
  const old: AlertState = memory.states.get(kind) ?? { kind, server: place, ...none };
  const { mark = null, since: raisedAt = null } = condition ?? {};
  const hasChanged = (old.raisedAt === null) !== (raisedAt === null);
  const state: AlertState = { ...old, raisedAt, attempts: hasChanged ? 0 : old.attempts };
  const isDue =
    memory.choices()[kind].isOn &&
    sender.hasChannel() &&
    mark !== old.told &&
    at - old.triedAt >= settings.alertGapMs &&
    state.attempts < settings.alertAttemptsMax;
  if (!isDue) {
    if (hasChanged || memory.isUnsaved(kind)) await memory.save(kind, state);
    return;
  }
  // If the server ends here, operators are told again, rather than never.
  const tried = { ...state, triedAt: at, attempts: state.attempts + 1 };
  if (!(await memory.save(kind, tried))) return;
  const delivery = await sender.send(messageOf({ kind, server: place, at }, condition));
  if (delivery.mailed.length === 0 && !delivery.hasReachedWebhook) return;
  const toldAt = mark === null ? old.toldAt : at;
  await memory.save(kind, { ...tried, told: mark, toldAt, attempts: 0 });
}
