/** Settings of customers' accounts: addresses, sessions, passwords, throttles, and mail. */
import { limit, type SettingsPart } from './setting.ts';

export const accountSettings = {
  publicUrl: {
    kind: 'text',
    value: '',
    help: 'address that browsers use, such as https://search.example.org; empty: localhost and the port',
  },
  proxiesTrusted: {
    kind: 'integer',
    value: 0,
    unit: 'proxies',
    min: 0,
    help: 'reverse proxies that add to X-Forwarded-For; 0: the header is ignored',
  },
  selfRegistration: {
    kind: 'boolean',
    value: false,
    help: 'whether anybody may become a customer, without credit; otherwise, only the operator adds customers',
  },
  linkHoursMax: { kind: 'integer', value: 24, unit: 'hours', help: 'lifetime of a one-time link' },
  sessionHoursMax: {
    kind: 'integer',
    value: 168,
    unit: 'hours',
    help: 'lifetime of a session, however much it is used',
  },
  sessionIdleHoursMax: {
    kind: 'integer',
    value: 24,
    unit: 'hours',
    help: 'time after which an idle session ends',
  },
  sessionSeenEveryMs: limit(60_000, 'ms', 'time between two records that a session is in use'),
  sessionsPerMemberMax: limit(
    20,
    'sessions',
    'sessions of a member; a new one beyond it ends the one that was idle longest',
  ),
  membersPerCustomerMax: {
    kind: 'integer',
    value: 20,
    unit: 'members',
    help: 'members of a customer, with those who have not accepted their invitation',
  },
  invitationsPerCustomerMax: limit(
    5,
    'invitations',
    'invitations of a customer within the time of the throttles: they tell whether an address has an account',
  ),
  keysPerCustomerMax: {
    kind: 'integer',
    value: 50,
    unit: 'keys',
    help: 'valid keys that a customer can have through the dashboard; the operator can add more',
  },
  keysEverPerCustomerMax: limit(
    1_000,
    'keys',
    'the same limit including revoked and expired keys, which the dashboard still shows',
  ),
  passwordHashesMax: {
    kind: 'integer',
    value: 2,
    unit: 'passwords',
    help: 'passwords hashed concurrently, with 32 MiB of memory each',
  },
  passwordHashesWaitingMax: limit(
    16,
    'passwords',
    'passwords that wait to be hashed, of known and of unknown browsers each; beyond it, the response is 503',
  ),
  passwordHashDoublings: limit(
    15,
    'doublings',
    'the work of a password hash: N of scrypt is 2 to this power, with r = 8 and p = 3; other hashes are renewed at the next sign-in',
  ),
  throttleMinutes: {
    kind: 'integer',
    value: 15,
    unit: 'minutes',
    help: 'time in which used attempts of the following limits are restored',
  },
  triesPerBrowserMax: limit(
    10,
    'attempts',
    'wrong passwords from a browser that has signed in to the account before, or within a session',
  ),
  triesPerAccountAndAddressMax: limit(
    10,
    'attempts',
    'wrong passwords for one account from one network address',
  ),
  triesPerAddressMax: {
    kind: 'integer',
    value: 30,
    unit: 'attempts',
    help: 'wrong passwords for all accounts from one network address',
  },
  triesPerAccountMax: {
    kind: 'integer',
    value: 100,
    unit: 'attempts',
    help: 'wrong passwords for one account from all addresses, before unknown browsers have to wait',
  },
  codesPerAccountMax: limit(
    10,
    'attempts',
    'wrong codes of two-step sign-in for one account from all addresses, after the right password; the other limits of passwords count for codes, too',
  ),
  securityMailsPerAddressMax: limit(
    20,
    'mails',
    'mails about the security of an account to one address within the time of the throttles; further ones are not sent',
  ),
  signInCodeMs: limit(
    600_000,
    'ms',
    'how long a sign-in waits for the code after the right password',
  ),
  linksPerBrowserMax: limit(
    3,
    'links',
    'link requests from a browser that has signed in to the account before',
  ),
  linksPerAccountAndAddressMax: limit(
    3,
    'links',
    'link requests for one account from one network address',
  ),
  linksPerAddressMax: limit(10, 'links', 'link requests for all accounts from one network address'),
  linksPerAccountMax: limit(
    30,
    'links',
    'link requests for one account from all addresses, before unknown browsers have to wait',
  ),
  registrationsPerAddressMax: {
    kind: 'integer',
    value: 5,
    unit: 'registrations',
    help: 'registrations from one network address',
  },
  registrationsMax: limit(300, 'registrations', 'registrations from all addresses'),
  throttledMax: limit(
    10_000,
    'entries',
    'accounts, addresses, and browsers whose attempts are kept in the memory of a server with SQLite, of each kind',
  ),
  knownBrowserDaysMax: limit(
    180,
    'days',
    'how long a browser stays known after a customer signed in with it',
  ),
  accountWritesWaitingMax: limit(
    256,
    'changes',
    'changes to accounts that wait to be written; beyond it, the response is 503',
  ),
  backgroundTasksMax: limit(
    100,
    'tasks',
    'tasks that go on after their response, such as mail; one beyond it is dropped and logged',
  ),
  smtpUrl: {
    kind: 'text',
    secret: true,
    value: '',
    help: 'mail server, as smtps://USER:PASSWORD@HOST:PORT; empty: links are printed instead of mailed',
  },
  mailFrom: { kind: 'text', value: '', help: 'sender of mail; required if there is a mail server' },
  mailTimeoutMs: limit(10_000, 'ms', 'time limit of sending one mail'),
  noticeCheckMs: limit(
    10_000,
    'ms',
    'time between two looks for mail about billing that waits to be sent, such as a low balance',
  ),
  noticesPerCheckMax: limit(
    50,
    'notices',
    'notices about billing that are sent after one look, one after the other',
  ),
  noticeAttemptsMax: limit(12, 'attempts', 'attempts at a notice that the mail server refuses'),
  noticeRetryMs: limit(
    600_000,
    'ms',
    'time until the next attempt at a notice that the mail server refused',
  ),
  ledgerPageEntriesMax: limit(50, 'entries', 'entries on one page of the accounting view'),
  usageDetailDaysMax: {
    kind: 'integer',
    value: 400,
    unit: 'days',
    help: 'how long latency, lanes, and outcomes of answers are kept, by key and day; also the longest range of the page Usage',
  },
  usageDetailCheckMs: limit(
    3_600_000,
    'ms',
    'time between two deletions of latency and lanes that are older',
  ),
  usageDetailsDeletedMax: limit(
    1_000,
    'rows',
    'rows of latency and lanes that are deleted in one transaction',
  ),
  activityPageLinesMax: limit(50, 'lines', 'lines on one page of the activity'),
  csvEntriesPerRead: limit(500, 'entries', 'lines or entries that a download reads at once'),
} as const satisfies SettingsPart;
