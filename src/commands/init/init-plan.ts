/** What `verbatim init` will do, from options, answers, and what is there already. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CREDITS_RANGE, parseCredits } from '../../accounts/amounts/credits.ts';
import { FIRST_CREDITS, FIRST_CUSTOMER } from '../../accounts/first-customer.ts';
import { isEmail } from '../../accounts/sql/customers.ts';
import { VerbatimError } from '../../errors.ts';
import {
  readSettings,
  readSettingsFile,
  resolveSettings,
  type Settings,
  type SettingsFile,
  settingsTable,
} from '../../settings/config.ts';
import { SETTINGS_FILE_NAME, SYSTEM_SETTINGS_FILE } from '../../settings/find-settings-file.ts';
import { readAccounts } from '../cli/accounts.ts';
import { sayOnTerminal } from '../cli/options.ts';
import { programCommand } from '../cli/program-command.ts';
import { PACKAGED_UNIT_PATH, packagedUnit } from '../setup/packaged-unit.ts';
import type { SettingsToWrite } from '../setup/settings-file-text.ts';
import { pathHiddenFromService, STATE_FOLDER, UNIT_PATH } from '../setup/systemd-unit.ts';
import type { Prompter } from './ask.ts';
import { isDomain } from './domain.ts';

export interface InitOptions {
  config?: string;
  db?: string;
  customer?: string;
  credits?: number;
  host?: string;
  port?: number;
  systemd?: boolean;
  caddy?: string;
  nginx?: string;
}

export interface Proxy {
  kind: 'caddy' | 'nginx';
  domain: string;
}

export interface InitPlan {
  /** A full path. */
  settingsFile: string;
  /** What a new settings file sets. */
  values: SettingsToWrite;
  /** The settings in effect when this is done. */
  settings: Settings;
  customer: { email: string; credits: number };
  proxy: Proxy | undefined;
  /** Who runs the service: a unit that init writes, or the one of the Debian package. */
  unit: 'own' | 'packaged' | undefined;
  /** Lines that an existing settings file lacks. */
  advice: string[];
}

/**
 * Returns the plan. Asks for what no option says, if there is somebody to ask. Throws `usage` for
 * what cannot be done, before anything is written.
 */
export async function planInit(
  options: InitOptions,
  prompter: Prompter | undefined,
): Promise<InitPlan> {
  assertCurrentFolder();
  const isRoot = process.geteuid?.() === 0;
  const settingsFile = settingsFileOf(options, isRoot);
  const file = existsSync(settingsFile) ? readSettingsFile(settingsFile) : undefined;
  const overrides = overridesOf(options);
  if (file !== undefined) assertNotContradicted(overrides, file);
  const situation = { overrides, file, settingsFile, isRoot };
  if (isRoot) announceMachine(options, situation);
  const database = await chooseDatabase(situation, prompter);
  const customer = await chooseCustomer(
    options,
    (await hasCustomers(database)) ? undefined : prompter,
  );
  const proxy = await chooseProxy(options, prompter);
  const unit = await chooseUnit({ options, settingsFile, database, isRoot }, prompter);
  const values: SettingsToWrite = { ...overrides, database };
  const behindProxy = proxy && settingsBehind(proxy);
  const chosen = { ...behindProxy, ...values };
  if (file === undefined) {
    const settings = readSettings(chosen);
    chosen.port = settings.port;
    return { settingsFile, values: chosen, settings, customer, proxy, unit, advice: [] };
  }
  const settings = readSettings(values, undefined, file);
  const advice = Object.entries(behindProxy ?? {}).flatMap(([name, value]) => {
    const key = name as keyof SettingsToWrite;
    return settings[key] === value ? [] : [`${settingsTable[key].variable}=${value}`];
  });
  return { settingsFile, values, settings, customer, proxy, unit, advice };
}

/** Relative paths, and the commands that are printed at the end, start there. */
function assertCurrentFolder(): void {
  try {
    process.cwd();
  } catch (error) {
    const message = 'the current folder has been removed; change to another one';
    throw new VerbatimError('usage', message, { cause: error });
  }
}

function settingsFileOf({ config }: InitOptions, isRoot: boolean): string {
  if (config === 'none') throw new VerbatimError('usage', 'init writes a settings file; name one');
  return resolve(config ?? (isRoot ? SYSTEM_SETTINGS_FILE : SETTINGS_FILE_NAME));
}

type Overrides = Pick<SettingsToWrite, 'database' | 'host' | 'port'>;

function overridesOf({ db, host, port }: InitOptions): Overrides {
  const overrides: Overrides = {};
  if (db !== undefined) overrides.database = resolve(db);
  if (host !== undefined) overrides.host = host;
  if (port !== undefined) overrides.port = port;
  return overrides;
}

/** A file is never changed, so an option must not ask for anything else. */
function assertNotContradicted(overrides: Overrides, file: SettingsFile): void {
  const resolved = resolveSettings({}, {}, file);
  for (const [name, value] of Object.entries(overrides)) {
    const { variable } = settingsTable[name as keyof Overrides];
    const inFile = resolved.get(name)?.value;
    if (inFile === value) continue;
    throw new VerbatimError(
      'usage',
      `${file.path} is there already, with ${variable}=${inFile}; change it there, or use another --config`,
    );
  }
}

interface Situation {
  overrides: Overrides;
  file: SettingsFile | undefined;
  settingsFile: string;
  isRoot: boolean;
}

async function chooseDatabase(
  situation: Situation,
  prompter: Prompter | undefined,
): Promise<string> {
  const { path, isChosen } = databaseOf(situation);
  if (isChosen) return path;
  return resolve((await prompter?.ask({ text: 'Database', fallback: path })) ?? path);
}

/** The database of an option, a variable, or the file; else the one that is made if nobody says more. */
function databaseOf({ overrides, file, settingsFile, isRoot }: Situation): {
  path: string;
  isChosen: boolean;
} {
  const { value, origin } = resolveSettings(overrides, undefined, file).get('database') ?? {};
  if (origin !== 'default' || file !== undefined) {
    return { path: resolve(String(value)), isChosen: true };
  }
  const folder = isRoot ? STATE_FOLDER : dirname(settingsFile);
  return { path: join(folder, settingsTable.database.value), isChosen: false };
}

/** Says, before anything is asked or written, that root does not set up the current folder. */
function announceMachine({ config }: InitOptions, situation: Situation): void {
  const { path, isChosen } = databaseOf(situation);
  const files = [
    ...(config === undefined ? [situation.settingsFile] : []),
    ...(isChosen ? [] : [path]),
  ];
  if (files.length === 0) return;
  sayOnTerminal(
    `As root, init sets up the machine, wherever it is called: ${files.join(' and ')}. ` +
      'Name other files with --config and --db.',
  );
}

/** Whether there is nothing to ask about the first customer. A database may be empty after a crash. */
async function hasCustomers(database: string): Promise<boolean> {
  if (!existsSync(database)) return false;
  try {
    const customers = await readAccounts(readSettings({ database }), (accounts) =>
      accounts.listCustomers(),
    );
    return customers.length > 0;
  } catch {
    // The reason is reported when the database is opened to be written.
    return false;
  }
}

async function chooseCustomer(
  { customer, credits }: InitOptions,
  prompter: Prompter | undefined,
): Promise<InitPlan['customer']> {
  if (customer !== undefined) assertEmail(customer);
  const email =
    customer ??
    (await prompter?.ask({
      text: "First customer's address",
      fallback: FIRST_CUSTOMER,
      validate: (answer) => (isEmail(answer) ? undefined : 'This is not an e-mail address.'),
    })) ??
    FIRST_CUSTOMER;
  const answer =
    credits ??
    (await prompter?.ask({
      text: 'Credits of the first customer',
      fallback: String(FIRST_CREDITS),
      validate: (text) =>
        parseCredits(text) === undefined ? `It must be ${CREDITS_RANGE}.` : undefined,
    })) ??
    FIRST_CREDITS;
  return { email, credits: Number(answer) };
}

function assertEmail(text: string): void {
  if (isEmail(text)) return;
  throw new VerbatimError('usage', `"${text}" is not an e-mail address`);
}

async function chooseProxy(
  { caddy, nginx }: InitOptions,
  prompter: Prompter | undefined,
): Promise<Proxy | undefined> {
  if (caddy !== undefined) return { kind: 'caddy', domain: caddy };
  if (nginx !== undefined) return { kind: 'nginx', domain: nginx };
  const domain = await prompter?.ask({
    text: 'Domain, if a proxy on this machine is to provide HTTPS',
    fallback: '',
    validate: (answer) =>
      answer === '' || isDomain(answer)
        ? undefined
        : 'This is not a domain such as search.example.org.',
  });
  if (prompter === undefined || domain === undefined || domain === '') return undefined;
  const kind = await prompter.ask({
    text: 'Proxy, caddy or nginx',
    fallback: 'caddy',
    validate: (answer) => (/^(caddy|nginx)$/.test(answer) ? undefined : 'Type caddy or nginx.'),
  });
  return { kind: kind === 'nginx' ? 'nginx' : 'caddy', domain: domain.toLowerCase() };
}

function settingsBehind({ domain }: Proxy): SettingsToWrite {
  return { host: '127.0.0.1', publicUrl: `https://${domain}`, proxiesTrusted: 1 };
}

interface UnitSituation {
  options: InitOptions;
  settingsFile: string;
  database: string;
  isRoot: boolean;
}

async function chooseUnit(
  situation: UnitSituation,
  prompter: Prompter | undefined,
): Promise<InitPlan['unit']> {
  const kind = existsSync(PACKAGED_UNIT_PATH) ? 'packaged' : 'own';
  const obstacle = unitObstacle(situation, kind);
  if (situation.options.systemd) {
    if (obstacle === undefined) return kind;
    throw new VerbatimError('usage', `--systemd: ${obstacle}`);
  }
  if (prompter === undefined || obstacle !== undefined) return undefined;
  const answer = await prompter.ask({
    text: 'Write a systemd unit, yes or no',
    fallback: 'yes',
    validate: (text) => (/^(y|yes|n|no)$/i.test(text) ? undefined : 'Type yes or no.'),
  });
  return /^y/i.test(answer) ? kind : undefined;
}

/** Returns why a unit would not work, or undefined. */
function unitObstacle(
  { settingsFile, database, isRoot }: UnitSituation,
  kind: 'own' | 'packaged',
): string | undefined {
  if (!isRoot) return 'only root can install a unit; use sudo';
  const unitFolder = dirname(UNIT_PATH);
  if (!existsSync(unitFolder)) return `this machine has no ${unitFolder}`;
  if (!database.startsWith(`${STATE_FOLDER}/`)) {
    return `the service keeps its database in ${STATE_FOLDER}, not at ${database}`;
  }
  if (kind === 'packaged') return packageObstacle(settingsFile);
  const hidden = pathHiddenFromService(programCommand());
  if (hidden === undefined) return undefined;
  return `the service cannot see ${hidden}; put the program into /usr/local or /opt and run it there`;
}

/** Returns why the unit of the package would not serve this, or undefined. */
function packageObstacle(settingsFile: string): string | undefined {
  const [program] = packagedUnit.command;
  if (programCommand().join(' ') !== program) {
    return `the Debian package has a unit, which starts ${program}; run init with that program`;
  }
  if (settingsFile !== packagedUnit.settingsFile) {
    return `the unit of the Debian package reads ${packagedUnit.settingsFile}, not ${settingsFile}`;
  }
  if (!existsSync(UNIT_PATH)) return undefined;
  return `${UNIT_PATH} hides the unit of the Debian package; remove it first`;
}
