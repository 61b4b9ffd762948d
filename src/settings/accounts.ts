/** Settings of customers' accounts: addresses, sessions, passwords, throttles and mail. */
import type { SettingsPart } from './setting.ts';

export const accountSettings = {
  publicUrl: {
    variable: 'VERBATIM_PUBLIC_URL',
    value: '',
    help: 'address that browsers use, as https://search.example.org; empty: http://localhost and the port',
  },
  proxiesTrusted: {
    variable: 'VERBATIM_PROXIES_TRUSTED',
    value: 0,
    help: 'reverse proxies in front, each of which adds to X-Forwarded-For; 0: the header is not believed',
  },
  selfRegistration: {
    variable: 'VERBATIM_SELF_REGISTRATION',
    value: 0,
    help: '1: anybody may become a customer, without credit; 0: only the operator adds customers',
  },
  linkHoursMax: {
    variable: 'VERBATIM_LINK_HOURS_MAX',
    value: 24,
    help: 'hours that a one-time link works',
  },
  sessionHoursMax: {
    variable: 'VERBATIM_SESSION_HOURS_MAX',
    value: 168,
    help: 'hours after which a session ends, however much it is used',
  },
  sessionIdleHoursMax: {
    variable: 'VERBATIM_SESSION_IDLE_HOURS_MAX',
    value: 24,
    help: 'hours after which a session ends that is not used',
  },
  sessionSeenEveryMs: {
    variable: 'VERBATIM_SESSION_SEEN_EVERY_MS',
    value: 60_000,
    help: 'wait between two notes that a session is in use',
  },
  sessionsPerCustomerMax: {
    variable: 'VERBATIM_SESSIONS_PER_CUSTOMER_MAX',
    value: 20,
    help: 'sessions of a customer at a time; one more ends the one seen longest ago',
  },
  keysPerCustomerMax: {
    variable: 'VERBATIM_KEYS_PER_CUSTOMER_MAX',
    value: 50,
    help: 'valid keys that a customer may have by the dashboard; the operator may add more',
  },
  keysEverPerCustomerMax: {
    variable: 'VERBATIM_KEYS_EVER_PER_CUSTOMER_MAX',
    value: 1_000,
    help: 'the same with those that ended, which the dashboard goes on showing',
  },
  passwordHashesMax: {
    variable: 'VERBATIM_PASSWORD_HASHES_MAX',
    value: 2,
    help: 'passwords that are hashed at a time, with 32 MiB of memory each',
  },
  passwordHashesWaitingMax: {
    variable: 'VERBATIM_PASSWORD_HASHES_WAITING_MAX',
    value: 16,
    help: 'passwords that wait to be hashed, of known browsers and of others each; above it the answer is 503',
  },
  throttleMinutes: {
    variable: 'VERBATIM_THROTTLE_MINUTES',
    value: 15,
    help: 'minutes in which used-up tries of the following limits come back',
  },
  triesPerBrowserMax: {
    variable: 'VERBATIM_TRIES_PER_BROWSER_MAX',
    value: 10,
    help: 'wrong passwords from a browser that has signed in to the account before, or in a session, before it has to wait',
  },
  triesPerAccountAndAddressMax: {
    variable: 'VERBATIM_TRIES_PER_ACCOUNT_AND_ADDRESS_MAX',
    value: 10,
    help: 'wrong passwords for an account from one network address before that address has to wait',
  },
  triesPerAddressMax: {
    variable: 'VERBATIM_TRIES_PER_ADDRESS_MAX',
    value: 30,
    help: 'wrong passwords from a network address, for all accounts, before it has to wait',
  },
  triesPerAccountMax: {
    variable: 'VERBATIM_TRIES_PER_ACCOUNT_MAX',
    value: 100,
    help: 'wrong passwords for an account from everywhere before unknown browsers have to wait',
  },
  linksPerBrowserMax: {
    variable: 'VERBATIM_LINKS_PER_BROWSER_MAX',
    value: 3,
    help: 'links that a browser may ask for that has signed in to the account before',
  },
  linksPerAccountAndAddressMax: {
    variable: 'VERBATIM_LINKS_PER_ACCOUNT_AND_ADDRESS_MAX',
    value: 3,
    help: 'links for an account that may be asked for from one network address',
  },
  linksPerAddressMax: {
    variable: 'VERBATIM_LINKS_PER_ADDRESS_MAX',
    value: 10,
    help: 'links that may be asked for from a network address, for all accounts',
  },
  linksPerAccountMax: {
    variable: 'VERBATIM_LINKS_PER_ACCOUNT_MAX',
    value: 30,
    help: 'links for an account that may be asked for from everywhere before unknown browsers have to wait',
  },
  registrationsPerAddressMax: {
    variable: 'VERBATIM_REGISTRATIONS_PER_ADDRESS_MAX',
    value: 5,
    help: 'registrations from a network address before it has to wait',
  },
  registrationsMax: {
    variable: 'VERBATIM_REGISTRATIONS_MAX',
    value: 300,
    help: 'registrations from everywhere before all have to wait',
  },
  throttledMax: {
    variable: 'VERBATIM_THROTTLED_MAX',
    value: 10_000,
    help: 'accounts, addresses and browsers, each, whose tries are remembered at a time',
  },
  knownBrowserDaysMax: {
    variable: 'VERBATIM_KNOWN_BROWSER_DAYS_MAX',
    value: 180,
    help: 'days for which a browser stays known after a customer has signed in with it',
  },
  accountWritesWaitingMax: {
    variable: 'VERBATIM_ACCOUNT_WRITES_WAITING_MAX',
    value: 256,
    help: 'changes to accounts that wait to be written; above it the answer is 503',
  },
  backgroundTasksMax: {
    variable: 'VERBATIM_BACKGROUND_TASKS_MAX',
    value: 100,
    help: 'mails and the like that go on after their answer; one more is dropped and logged',
  },
  smtpUrl: {
    variable: 'VERBATIM_SMTP_URL',
    value: '',
    help: 'mail server, as smtps://USER:PASSWORD@HOST:PORT; empty: links are printed, not mailed',
  },
  mailFrom: {
    variable: 'VERBATIM_MAIL_FROM',
    value: '',
    help: 'sender of the mails; wanted where there is a mail server',
  },
  mailTimeoutMs: {
    variable: 'VERBATIM_MAIL_TIMEOUT_MS',
    value: 10_000,
    help: 'wait for the mail server, for one mail in all',
  },
  ledgerPageEntriesMax: {
    variable: 'VERBATIM_LEDGER_PAGE_ENTRIES_MAX',
    value: 50,
    help: 'entries on a page of the ledger',
  },
  csvEntriesPerRead: {
    variable: 'VERBATIM_CSV_ENTRIES_PER_READ',
    value: 500,
    help: 'entries that a download of the ledger reads at a time',
  },
} as const satisfies SettingsPart;
