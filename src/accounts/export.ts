/** Everything that is stored of an account, as one archive. Read in pieces, like the files in it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeps } from './account-deps.ts';
import { exportReadme } from './export-readme.ts';
import { ledgerCsv } from './ledger-csv.ts';
import { paymentsCsv } from './payment-report.ts';
import { requestsCsv } from './requests.ts';
import { listSessions } from './sign-in.ts';
import type { KeptQuestion } from './sql/answer-outcomes.ts';
import { type ApiKey, isRevoked } from './sql/api-keys.ts';
import { dayOf } from './sql/calendar-month.ts';
import type { ListedMember } from './sql/member-rows.ts';
import type { OwnKey } from './sql/own-keys.ts';
import type { ListedSession } from './sql/session-rows.ts';
import type { Session } from './sql/sessions.ts';
import { type UsageFigures, usageReport } from './usage.ts';
import { type CsvColumn, csvHead, csvLines, csvTime } from './write-csv.ts';
import { type ZippedFile, zipArchive } from './write-zip.ts';

/** Yields the archive of the account of an owner. What is added in the meantime may be missing. */
export function exportAccount(deps: AccountDeps, session: Session): AsyncGenerator<Buffer> {
  return zipArchive(filesOf(deps, session), deps.now());
}

function filesOf(deps: AccountDeps, { customer, member }: Session): ZippedFile[] {
  const { store } = deps;
  const { id: customerId } = customer;
  const now = deps.now();
  const range = { customerId, firstDay: dayOf(customer.createdAt), lastDay: dayOf(now) };
  const keys = () => store.listOwnKeys({ customerId, now });
  return [
    { name: 'README.txt', pieces: [exportReadme(customer.email, now)] },
    { name: 'profile.json', pieces: profile(deps, { customer, member }) },
    { name: 'members.csv', pieces: table(memberColumns, () => store.listMembers(customerId)) },
    { name: 'sessions.csv', pieces: table(sessionColumns, () => listSessions(deps, member.id)) },
    { name: 'keys.csv', pieces: table(keyColumns(now), keys) },
    {
      name: 'connected-clients.csv',
      pieces: table(clientColumns(now), async () =>
        (await keys()).filter(({ client }) => client !== null),
      ),
    },
    { name: 'requests.csv', pieces: requestsCsv(deps, { customerId }) },
    { name: 'ledger.csv', pieces: ledgerCsv(deps, { customerId }) },
    {
      name: 'usage-by-day.csv',
      pieces: table(dayColumns, async () =>
        (await usageReport(deps, range)).days.filter(
          ({ requests, failed }) => requests + failed > 0,
        ),
      ),
    },
    {
      name: 'usage-by-key.csv',
      pieces: table(keyUsageColumns, async () => {
        const names = new Map((await keys()).map((key) => [String(key.id), key]));
        const { keys: used } = await usageReport(deps, range);
        return [...used].map(([id, figures]) => ({ ...figures, key: names.get(id) }));
      }),
    },
    { name: 'payments.csv', pieces: paymentsCsv(deps, customerId) },
    {
      name: 'questions.csv',
      pieces: table(questionColumns, () => store.listOwnQuestions(customerId)),
    },
  ];
}

async function* profile(
  { store }: AccountDeps,
  { customer, member }: Pick<Session, 'customer' | 'member'>,
): AsyncGenerator<string> {
  const { id, email, lowBalance, lanes, createdAt } = customer;
  const facts = {
    customer: id,
    address: email,
    customerSince: new Date(createdAt).toISOString(),
    balance: await store.readBalance(id),
    settings: { lowCreditWarning: lowBalance, lanes: lanes ?? 'all' },
    onReceipts: await store.findBuyer({ customerId: id }),
    exportedBy: member.email,
  };
  yield `${JSON.stringify(facts, null, 2)}\n`;
}

/** Yields a small table, which is read when its turn comes. */
async function* table<Row>(
  columns: readonly CsvColumn<Row>[],
  read: () => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  yield csvLines(columns, await read());
  await nextTurn();
}

const timeOrNone = (time: number | null): string => (time === null ? '' : csvTime(time));
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

const memberColumns: readonly CsvColumn<ListedMember>[] = [
  ['Address', ({ email }) => email],
  ['Role', ({ role }) => role],
  ['Invited (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['Accepted', ({ hasPassword }) => yesOrNo(hasPassword)],
  ['Two-step sign-in', ({ hasSecondFactor }) => yesOrNo(hasSecondFactor)],
  ['Last used (UTC)', ({ seenAt }) => timeOrNone(seenAt)],
];

const sessionColumns: readonly CsvColumn<ListedSession>[] = [
  ['Browser', ({ device }) => device ?? ''],
  ['Network address', ({ address }) => address ?? ''],
  ['Signed in (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['Last used (UTC)', ({ seenAt }) => csvTime(seenAt)],
];

const questionColumns: readonly CsvColumn<KeptQuestion>[] = [
  ['Asked (UTC)', ({ askedAt }) => csvTime(askedAt)],
  ['Question', ({ text }) => text],
];

const stateOf = (key: ApiKey, now: number): string => (isRevoked(key, now) ? 'ended' : 'valid');

const keyColumns = (now: number): readonly CsvColumn<OwnKey>[] => [
  ['Name', ({ name }) => name],
  ['Hash prefix', ({ prefix }) => prefix],
  ['State', (key) => stateOf(key, now)],
  ['Created (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['Ended (UTC)', ({ revokedAt }) => timeOrNone(revokedAt)],
  ['Last used (UTC)', ({ lastUsedAt }) => timeOrNone(lastUsedAt)],
  ['Monthly cap in credits', ({ creditsPerMonthMax }) => creditsPerMonthMax ?? ''],
  ['Lanes', ({ lanes }) => lanes ?? 'all'],
  ['Calls to date', ({ toDate }) => toDate.requests],
  ['Credits to date', ({ toDate }) => toDate.credits],
];

const clientColumns = (now: number): readonly CsvColumn<OwnKey>[] => [
  ['Name', ({ name }) => name],
  ['Address of its metadata', ({ client }) => client ?? ''],
  ['State', (key) => stateOf(key, now)],
  ['Connected (UTC)', ({ createdAt }) => csvTime(createdAt)],
  ['Monthly cap in credits', ({ creditsPerMonthMax }) => creditsPerMonthMax ?? ''],
];

const usageColumns: readonly CsvColumn<UsageFigures>[] = [
  ['Calls', ({ requests }) => requests],
  ['Credits', ({ credits }) => credits],
  ['Failed', ({ failed }) => failed],
  ['Median latency (ms)', ({ p50Ms }) => p50Ms ?? ''],
  ['95th percentile of latency (ms)', ({ p95Ms }) => p95Ms ?? ''],
];

const dayColumns: readonly CsvColumn<UsageFigures & { day: string }>[] = [
  ['Day (UTC)', ({ day }) => day],
  ...usageColumns,
];

const keyUsageColumns: readonly CsvColumn<UsageFigures & { key: OwnKey | undefined }>[] = [
  ['Key', ({ key }) => key?.name ?? ''],
  ['Hash prefix', ({ key }) => key?.prefix ?? ''],
  ...usageColumns,
];
