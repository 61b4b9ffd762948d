/** What operators are told: once when it begins, once when it is over, by one server, and seldom. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  listAlertSettings,
  listAlertStates,
  saveAlertState,
  setAlerts,
} from '../../../src/accounts/sql/alert-rows.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { createLog } from '../../../src/log.ts';
import { createAlertChannels } from '../../../src/metrics/alerts/alert-channels.ts';
import { createAlertWatch } from '../../../src/metrics/alerts/alert-watch.ts';
import type { ServiceNumbers } from '../../../src/metrics/service-numbers.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { NOW, openMemoryStore } from '../../support/accounts.ts';

const MINUTE = 60_000;
const GAP = 10 * MINUTE;
const OPERATOR = 'root@example.org';
const log = createLog(() => {});

const well = {
  uptimeSeconds: 3_600,
  isReady: true,
  isLedgerWritable: true,
  diskFreeBytes: 50e9,
  lastBackupAt: undefined,
  certificateEndsAt: undefined,
  lanes: [],
} as unknown as ServiceNumbers;

const noReviews = { disputes: 0, disputedAt: 0, problems: 0, problemAt: 0 };

/** A database of accounts, and the world around its servers. */
function createWorld() {
  const db: Connection = openMemoryStore();
  onTestFinished(() => {
    db.close();
  });
  const world = {
    db,
    now: NOW,
    numbers: well,
    reviews: noReviews,
    isDatabaseLost: false,
    isMailLost: false,
    isWebhookLost: false,
    posted: [] as string[],
    subjects: [] as string[],
    mails: [] as string[],
  };
  const stored = async <Result>(work: () => Result): Promise<Result> => {
    if (world.isDatabaseLost) throw new Error('no database');
    return work();
  };
  const startServer = (name: string) =>
    createAlertWatch({
      history: { numbers: async () => world.numbers, samples: () => [] },
      damage: { all: () => [] },
      store: {
        listAlertSettings: () => stored(() => runOnSqlite(db, listAlertSettings())),
        listAlertStates: (input) => stored(() => runOnSqlite(db, listAlertStates(input))),
        saveAlertState: (input) => stored(() => changeOnSqlite(db, saveAlertState(input))),
        countReviews: () => stored(() => world.reviews),
        listOperatorAddresses: () => stored(() => [OPERATOR]),
      },
      channels: createAlertChannels({
        async sendMail({ to, subject, text }) {
          if (world.isMailLost) throw new Error('no mail server');
          world.subjects.push(`${to}: ${subject}`);
          world.mails.push(text);
        },
        async webhook(body) {
          if (world.isWebhookLost) throw new Error('no webhook');
          world.posted.push(JSON.parse(body).summary);
        },
        contact: '',
        log,
      }),
      settings: readSettings({ alertCheckMs: 1e9, alertGapMs: GAP, stripeSecretKey: 'x' }, {}),
      place: () => ({ server: name, baseUrl: 'https://example.org' }),
      log,
      now: () => world.now,
    });
  return { world, startServer };
}

const full = { ...well, diskFreeBytes: 5e6 };
const RAISED = `${OPERATOR}: Verbatim: Disk nearly full: the disk has 5.0 MB left`;
const CLEARED = `${OPERATOR}: Verbatim: Disk nearly full: over`;

describe('operators', () => {
  it('are told once that it began, and once that it is over', async () => {
    const { world, startServer } = createWorld();
    const server = startServer('a');
    await server.check();
    world.numbers = full;
    for (let minute = 0; minute < 30; minute++, world.now += MINUTE) await server.check();
    expect(world.subjects).toEqual([RAISED]);
    expect(world.mails[0]).toContain('Since 2026-03-14T09:30:00.000Z. ');
    expect(world.mails[0]).toContain('https://example.org/operator#storage');
    world.numbers = well;
    for (let minute = 0; minute < 30; minute++, world.now += MINUTE) await server.check();
    expect(world.subjects).toEqual([RAISED, CLEARED]);
  });

  it('are told again by no later start of the server', async () => {
    const { world, startServer } = createWorld();
    world.numbers = full;
    await startServer('a').check();
    world.now += GAP;
    const later = startServer('a');
    await later.check();
    expect(world.subjects).toEqual([RAISED]);
    expect(await later.conditions(full)).toMatchObject([{ kind: 'disk', since: NOW }]);
    await startServer('b').check();
    expect(world.subjects).toEqual([RAISED, RAISED]);
  });

  it('are told no more often than the gap of what comes and goes', async () => {
    const { world, startServer } = createWorld();
    const server = startServer('a');
    for (let minute = 0; minute < 60; minute++, world.now += MINUTE) {
      world.numbers = minute % 2 === 0 ? full : well;
      await server.check();
    }
    expect(world.subjects.length).toBeGreaterThan(1);
    expect(world.subjects.length).toBeLessThanOrEqual(60 / 10);
  });

  it('are told nothing of what they turned off, until they turn it on', async () => {
    const { world, startServer } = createWorld();
    const choose = (isOn: boolean) => {
      const settings = [{ kind: 'disk', isOn, threshold: 100 }];
      changeOnSqlite(world.db, setAlerts({ settings }));
    };
    const server = startServer('a');
    choose(false);
    world.numbers = full;
    await server.check();
    expect(world.subjects).toEqual([]);
    expect(await server.conditions(full)).toMatchObject([{ kind: 'disk', since: NOW }]);
    choose(true);
    world.now += MINUTE;
    await server.check();
    expect(world.subjects).toEqual([RAISED]);
  });

  it('are told by one of several servers of what all have together, and of each news', async () => {
    const { world, startServer } = createWorld();
    const servers = ['a', 'b', 'c'].map(startServer);
    const checkAll = () => Promise.all(servers.map((server) => server.check()));
    world.reviews = { ...noReviews, problems: 1, problemAt: NOW };
    for (let minute = 0; minute < 15; minute++, world.now += MINUTE) await checkAll();
    const first = `${OPERATOR}: Verbatim: Payment to review: an event of Stripe needs a look`;
    expect(world.subjects).toEqual([first]);
    world.reviews = { ...noReviews, problems: 2, problemAt: world.now };
    for (let minute = 0; minute < 15; minute++, world.now += MINUTE) await checkAll();
    const second = `${OPERATOR}: Verbatim: Payment to review: 2 events of Stripe need a look`;
    expect(world.subjects).toEqual([first, second]);
  });

  it('are told without a database, and once all the same', async () => {
    const { world, startServer } = createWorld();
    const server = startServer('a');
    await server.choices();
    world.isDatabaseLost = true;
    world.numbers = { ...full, isLedgerWritable: false };
    for (let minute = 0; minute < 30; minute++, world.now += MINUTE) await server.check();
    expect(world.subjects.sort()).toEqual([
      RAISED,
      `${OPERATOR}: Verbatim: Failing searches: the accounts cannot be written`,
    ]);
    world.isDatabaseLost = false;
    await server.check();
    world.now += GAP;
    await startServer('a').check();
    expect(world.subjects).toHaveLength(2);
  });

  it('are told of failing searches only once the server had time to start', async () => {
    const { world, startServer } = createWorld();
    const server = startServer('a');
    world.numbers = { ...well, isReady: false, uptimeSeconds: 119 };
    await server.check();
    expect(world.subjects).toEqual([]);
    world.numbers = { ...well, isReady: false, uptimeSeconds: 121 };
    await server.check();
    expect(world.subjects).toEqual([
      `${OPERATOR}: Verbatim: Failing searches: the server is not ready`,
    ]);
  });

  it('are told later on a channel that failed, and not again on the other', async () => {
    const { world, startServer } = createWorld();
    const server = startServer('a');
    world.isMailLost = true;
    world.numbers = full;
    for (let minute = 0; minute < 25; minute++, world.now += MINUTE) await server.check();
    expect(world.subjects).toEqual([]);
    expect(world.posted).toEqual(['Disk nearly full: the disk has 5.0 MB left']);
    world.isMailLost = false;
    for (let minute = 0; minute < 25; minute++, world.now += MINUTE) await server.check();
    expect(world.subjects).toEqual([RAISED]);
    world.isWebhookLost = true;
    world.numbers = well;
    await server.check();
    world.isWebhookLost = false;
    world.now += GAP;
    await server.check();
    expect(world.subjects).toEqual([RAISED, CLEARED]);
    expect(world.posted.slice(1)).toEqual(['Disk nearly full: over']);
  });
});
