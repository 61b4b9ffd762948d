/** Makes what a plan says. Each step leaves what is there as it is, so all can be repeated. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AddedCustomer } from '../../accounts/sql/insert-first-customer.ts';
import { messageOf, VerbatimError } from '../../errors.ts';
import { changeAccounts } from '../cli/accounts.ts';
import { openOrCreateStore } from '../cli/options.ts';
import { programCommand } from '../cli/program-command.ts';
import { caddyfile } from '../setup/caddyfile.ts';
import { nginxSite } from '../setup/nginx-site.ts';
import { DROP_IN_PATH, dropIn, PACKAGED_UNIT_PATH } from '../setup/packaged-unit.ts';
import { settingsFileText } from '../setup/settings-file-text.ts';
import { systemdTimers } from '../setup/systemd-timers.ts';
import { systemdUnit, UNIT_PATH } from '../setup/systemd-unit.ts';
import { type WrittenState, writeNewFile } from '../setup/write-new-file.ts';
import type { InitPlan } from './init-plan.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** For files that other services read, such as the proxy. */
const FOR_ALL = 0o644;

export interface MadeFile {
  what: 'settings' | 'database' | 'systemd' | 'timer' | Proxy;
  path: string;
  state: WrittenState;
}

type Proxy = NonNullable<InitPlan['proxy']>['kind'];

export interface InitReport {
  plan: InitPlan;
  files: MadeFile[];
  /** Undefined if there were customers. */
  customer: AddedCustomer | undefined;
}

/** Throws `unwritable_output` and `database_unusable`. */
export async function carryOut(plan: InitPlan): Promise<InitReport> {
  const { settingsFile, settings, proxy } = plan;
  const files: MadeFile[] = [];
  const make = (what: MadeFile['what'], path: string, text: string, mode: number): void => {
    files.push({ what, path, state: writeNewFile(path, text, mode) });
  };
  make('settings', settingsFile, settingsFileText(plan.values), OWNER_ONLY);
  const { state, customer } = await makeDatabase(plan);
  files.push({ what: 'database', path: settings.database, state });
  if (plan.unit === 'packaged') {
    files.push({ what: 'systemd', path: PACKAGED_UNIT_PATH, state: 'kept' });
    const text = dropIn(settings);
    if (text !== undefined) make('systemd', DROP_IN_PATH, text, FOR_ALL);
  } else if (plan.unit === 'own') {
    const { port, drainTimeoutMs } = settings;
    const options = { command: programCommand(), settingsFile, port, drainTimeoutMs };
    make('systemd', UNIT_PATH, systemdUnit(options), FOR_ALL);
    for (const { name, text } of systemdTimers(options)) {
      make('timer', join(dirname(UNIT_PATH), name), text, FOR_ALL);
    }
  }
  if (proxy !== undefined) {
    const { kind, domain } = proxy;
    const isCaddy = kind === 'caddy';
    const name = isCaddy ? 'verbatim.caddyfile' : 'verbatim.nginx.conf';
    const probePort =
      settings.metrics && settings.metricsPort > 0 ? settings.metricsPort : undefined;
    const text = (isCaddy ? caddyfile : nginxSite)({ domain, port: settings.port, probePort });
    make(kind, join(dirname(settingsFile), name), text, FOR_ALL);
  }
  return { plan, files, customer };
}

/** The customer, the credit, and the key come in one transaction. */
async function makeDatabase({ settings, customer }: InitPlan): Promise<{
  state: WrittenState;
  customer: AddedCustomer | undefined;
}> {
  const { database } = settings;
  const isNew = !existsSync(database);
  try {
    mkdirSync(dirname(database), { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    throw new VerbatimError('unwritable_output', `cannot make a folder: ${messageOf(error)}`);
  }
  // The index is in this file, wherever the accounts are. The report says that it is new.
  openOrCreateStore(settings, () => {}).close();
  const added = await changeAccounts(settings, (accounts) =>
    accounts.addFirstCustomer({ ...customer, now: Date.now() }),
  );
  return { state: isNew ? 'written' : 'kept', customer: added };
}
