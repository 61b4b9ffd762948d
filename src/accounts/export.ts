/** Everything that is stored of an account, as one archive. Read in pieces, like the files in it. */
import type { AccountDeps } from './account-deps.ts';
import { ledgerTable, paymentTable, requestTable, timeCell, usageTable } from './account-tables.ts';
import { exportReadme } from './export-readme.ts';
import { listSessions } from './sign-in.ts';
import type { KeptQuestion } from './sql/answer-outcomes.ts';
import { isRevoked } from './sql/api-keys.ts';
import { dayOf } from './sql/calendar-month.ts';
import type { ListedMember } from './sql/member-rows.ts';
import type { OwnKey } from './sql/own-keys.ts';
import type { ListedSession } from './sql/session-rows.ts';
import type { Session } from './sql/sessions.ts';
import { type Column, tableOf } from './write-table.ts';
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
  const whole = <Row>(
    name: string,
    columns: readonly Column<Row>[],
    read: () => Promise<readonly Row[]>,
  ) => tableOf(name, columns, async () => ({ rows: await read() }));
  const tables = [
    whole('members', memberColumns, () => store.listMembers(customerId)),
    whole('sessions', sessionColumns, () => listSessions(deps, member.id)),
    whole('keys', keyColumns(now), () => store.listOwnKeys({ customerId, now })),
    requestTable(deps, { customerId }),
    usageTable(deps, range),
    ledgerTable(deps, { customerId }),
    paymentTable(deps, customerId),
    whole('questions', questionColumns, () => store.listOwnQuestions(customerId)),
  ];
  return [
    { name: 'README.txt', pieces: [exportReadme(customer.email, now)] },
    { name: 'profile.json', pieces: profile(deps, { customer, member }) },
    ...tables.map(({ name, write }) => ({ name: `${name}.csv`, pieces: write('csv') })),
  ];
}

async function* profile(
  { store }: AccountDeps,
  { customer, member }: Pick<Session, 'customer' | 'member'>,
): AsyncGenerator<string> {
  const { id, email, name, timeZone, lowBalance, lanes, createdAt } = customer;
  const facts = {
    customer: id,
    address: email,
    name,
    customerSince: new Date(createdAt).toISOString(),
    balance: await store.readBalance(id),
    settings: { lowCreditWarning: lowBalance, lanes: lanes ?? 'all', timeZone },
    onReceipts: await store.findBuyer({ customerId: id }),
    exportedBy: member.email,
  };
  yield `${JSON.stringify(facts, null, 2)}\n`;
}

const memberColumns: readonly Column<ListedMember>[] = [
  ['Address', ({ email }) => email],
  ['Role', ({ role }) => role],
  ['Invited (UTC)', ({ createdAt }) => timeCell(createdAt)],
  ['Accepted', ({ hasPassword }) => hasPassword],
  ['Two-step sign-in', ({ hasSecondFactor }) => hasSecondFactor],
  ['Last used (UTC)', ({ seenAt }) => timeCell(seenAt)],
];

const sessionColumns: readonly Column<ListedSession>[] = [
  ['Browser', ({ device }) => device],
  ['Network address', ({ address }) => address],
  ['Signed in (UTC)', ({ createdAt }) => timeCell(createdAt)],
  ['Last used (UTC)', ({ seenAt }) => timeCell(seenAt)],
];

const questionColumns: readonly Column<KeptQuestion>[] = [
  ['Asked (UTC)', ({ askedAt }) => timeCell(askedAt)],
  ['Question', ({ text }) => text],
];

const keyColumns = (now: number): readonly Column<OwnKey>[] => [
  ['Name', ({ name }) => name],
  ['Hash prefix', ({ prefix }) => prefix],
  ['Address of its client', ({ client }) => client],
  ['State', (key) => (isRevoked(key, now) ? 'ended' : 'valid')],
  ['Created (UTC)', ({ createdAt }) => timeCell(createdAt)],
  ['Ended (UTC)', ({ revokedAt }) => timeCell(revokedAt)],
  ['Last used (UTC)', ({ lastUsedAt }) => timeCell(lastUsedAt)],
  ['Monthly cap in credits', ({ creditsPerMonthMax }) => creditsPerMonthMax],
  ['Lanes', ({ lanes }) => lanes ?? 'all'],
  ['Calls to date', ({ toDate }) => toDate.requests],
  ['Credits to date', ({ toDate }) => toDate.credits],
];
