/** `verbatim key create|list|cap|rates|lanes|revoke|rotate`. */
import { Command, InvalidArgumentError } from 'commander';
import { CREDITS_RANGE } from '../accounts/amounts/credits.ts';
import { type ApiKey, type CreatedKey, isRevoked } from '../accounts/sql/api-keys.ts';
import type { LaneChoice } from '../settings/lane-choice.ts';
import { formatNumber } from '../text/format-number.ts';
import { changeAccounts, readAccounts } from './cli/accounts.ts';
import {
  type CommonOptions,
  parseCount,
  parseCreditCount,
  parseDurationMs,
  settingsOf,
  withStoreOptions,
} from './cli/options.ts';
import { formatTime, print, printable, printJson, printTable } from './cli/output.ts';
import { describeLanes, LANES_ARGUMENT, parseLanes } from './parse-lanes.ts';

interface CreateOptions extends CommonOptions {
  name: string;
  requestsPerMinute?: number;
  inFlight?: number;
  cap?: number;
}

interface RatesOptions extends CommonOptions {
  requestsPerMinute?: number;
  inFlight?: number;
}

interface ListOptions extends CommonOptions {
  customer?: string;
}

interface RotateOptions extends CommonOptions {
  grace?: number;
}

export function keyCommand(): Command {
  return new Command('key')
    .description("manage customers' API keys, named by the prefix of their hash")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(capCommand())
    .addCommand(ratesCommand())
    .addCommand(lanesCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  return withStoreOptions(new Command('create'))
    .description('create a key; its secret is printed once')
    .argument('<email>', 'the customer')
    .option('--name <text>', 'what the key is for', 'default')
    .option('--requests-per-minute <n>', "the key's own rate", parseCount)
    .option('--in-flight <n>', "the key's own limit of searches in flight", parseCount)
    .option(
      '--cap <credits>',
      'the most that the key may spend per calendar month (UTC)',
      parseCreditCount,
    )
    .action(async (email: string, options: CreateOptions) => {
      const created = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.createKey({
          email,
          name: options.name,
          requestsPerMinute: options.requestsPerMinute ?? null,
          inFlightMax: options.inFlight ?? null,
          creditsPerMonthMax: options.cap ?? null,
          now: Date.now(),
        }),
      );
      printCreated(created, options);
    });
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list keys')
    .option('--customer <email>', 'only the keys of one customer')
    .action(async (options: ListOptions) => {
      const keys = await readAccounts(settingsOf(options), (accounts) =>
        accounts.listKeys({ email: options.customer }),
      );
      if (options.json) {
        printJson(keys);
        return;
      }
      printTable(
        [
          ...['key', 'customer', 'name', 'requests/min', 'in flight', 'credits/month', 'lanes'],
          ...['client', 'created (UTC)', 'state'],
        ],
        keys.map((key) => [
          ...[key.prefix, key.customer, printable(key.name)],
          ...[String(key.requestsPerMinute ?? 'default'), String(key.inFlightMax ?? 'default')],
          ...[describeCap(key), describeLanes(key.lanes)],
          ...[key.client === null ? '' : new URL(key.client).host],
          ...[formatTime(key.createdAt), describeState(key)],
        ]),
      );
    });
}

function capCommand(): Command {
  return withStoreOptions(new Command('cap'))
    .description('set or remove the monthly cap of a key (UTC)')
    .argument('<prefix>', 'prefix of the hash, as in `key list`')
    .argument('<credits>', 'a number of credits, or none', parseCap)
    .action(async (prefix: string, creditsPerMonthMax: number | null, options: CommonOptions) => {
      const key = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.capKey({ prefix, creditsPerMonthMax }),
      );
      if (options.json) printJson(key);
      else print(`cap of ${key.prefix} of ${key.customer}: ${describeCap(key)}`);
    });
}

function ratesCommand(): Command {
  return withStoreOptions(new Command('rates'))
    .description("set a key's rate and its searches in flight; what is not named gets the default")
    .argument('<prefix>', 'prefix of the hash, as in `key list`')
    .option('--requests-per-minute <n>', "the key's own rate", parseCount)
    .option('--in-flight <n>', "the key's own limit of searches in flight", parseCount)
    .action(async (prefix: string, options: RatesOptions) => {
      const { requestsPerMinute = null, inFlight: inFlightMax = null } = options;
      const key = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.setKeyRates({ prefix, requestsPerMinute, inFlightMax }),
      );
      if (options.json) printJson(key);
      else {
        const rate = `${requestsPerMinute ?? 'default'} requests a minute`;
        print(
          `rates of ${key.prefix} of ${key.customer}: ${rate}, ${inFlightMax ?? 'default'} in flight`,
        );
      }
    });
}

function lanesCommand(): Command {
  return withStoreOptions(new Command('lanes'))
    .description("set the lanes that may receive a key's questions")
    .argument('<prefix>', 'prefix of the hash, as in `key list`')
    .argument('<lanes>', LANES_ARGUMENT, parseLanes)
    .action(async (prefix: string, lanes: LaneChoice, options: CommonOptions) => {
      const key = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.setKeyLanes({ prefix, lanes }),
      );
      if (options.json) printJson(key);
      else print(`lanes of ${key.prefix} of ${key.customer}: ${describeLanes(key.lanes)}`);
    });
}

function revokeCommand(): Command {
  return withStoreOptions(new Command('revoke'))
    .description('revoke a key immediately and permanently')
    .argument('<prefix>', 'prefix of the hash, as in `key list`')
    .option('--reason <text>', 'why, for the trail')
    .action(async (prefix: string, options: CommonOptions & { reason?: string }) => {
      const { reason } = options;
      const key = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.revokeKey({ prefix, at: Date.now(), reason }),
      );
      if (options.json) printJson(key);
      else print(`revoked ${key.prefix} of ${key.customer}`);
    });
}

function rotateCommand(): Command {
  return withStoreOptions(new Command('rotate'))
    .description('replace a key with a new one of the same name, caps and lanes')
    .argument('<prefix>', 'prefix of the hash, as in `key list`')
    .option('--grace <time>', 'how long the old key keeps working: 15m, 24h', parseDurationMs)
    .action(async (prefix: string, options: RotateOptions) => {
      const now = Date.now();
      const graceEnds = now + (options.grace ?? 0);
      const rotated = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.rotateKey({ prefix, graceEnds, now }),
      );
      printCreated(rotated, options);
      if (!options.json) print(`the old key works until ${formatTime(rotated.oldKeyEnds)} UTC`);
    });
}

function printCreated({ key, secret }: CreatedKey, options: CommonOptions): void {
  if (options.json) {
    printJson({ ...key, secret });
    return;
  }
  print(`key ${key.prefix} of ${key.customer}; its secret is not stored and not shown again:`);
  print(secret);
}

function parseCap(text: string): number | null {
  if (text === 'none') return null;
  try {
    return parseCreditCount(text);
  } catch {
    throw new InvalidArgumentError(`It must be ${CREDITS_RANGE}, or none.`);
  }
}

function describeCap({ creditsPerMonthMax }: ApiKey): string {
  return creditsPerMonthMax === null ? 'no cap' : formatNumber(creditsPerMonthMax);
}

function describeState(key: ApiKey): string {
  if (key.revokedAt === null) return 'valid';
  const time = formatTime(key.revokedAt);
  return isRevoked(key, Date.now()) ? `revoked ${time}` : `valid until ${time}`;
}
