/**
 * The text of `verbatim start` when the service is ready: the address, the key, and the next steps.
 * Pure.
 */
import { baseUrl } from '../accounts/base-url.ts';
import { linkUrl } from '../accounts/links.ts';
import type { Settings } from '../settings/config.ts';
import { exampleQuestion } from '../settings/example.ts';
import { formatNumber } from '../text/format-number.ts';
import { formatSteps } from './cli/output.ts';
import { shellWord } from './cli/program-command.ts';

/** The first customer's credentials, for programs and for a browser. */
export interface FirstCustomer {
  secret: string;
  linkToken: string;
  credits: number;
}

export interface InvitationOptions {
  /** Settings with the actual port. */
  settings: Settings;
  /** The command that starts this program, such as `node dist/verbatim.js`. */
  program: string;
}

/** Returns the text of the first run. Its search is one command to copy. */
export function firstInvitation(
  { secret, linkToken, credits }: FirstCustomer,
  options: InvitationOptions,
): string {
  const { settings } = options;
  const base = baseUrl(settings);
  return `
Verbatim is ready at ${base}

Your API key, with ${formatNumber(credits)} credits. It is shown only once, so save it:

  ${secret}

Ask the sample documents a question:

  curl -s ${base}/v1/search \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query": "${exampleQuestion}", "limit": 3}'

Open your dashboard. This link works once, within ${settings.linkHoursMax} hours:

  ${linkUrl(settings, linkToken)}

Next steps:
${formatSteps([
  ['Read how the API works', `${base}/docs`],
  ['Add your own papers', command(options, 'index add papers.jsonl')],
  ['Stop', 'Ctrl-C; the next start uses the same index and key'],
])}
`;
}

/** Returns the text of later runs. `email` is the customer for a key or a link. */
export function nextInvitation(email: string, options: InvitationOptions): string {
  const base = baseUrl(options.settings);
  return `
Verbatim is ready at ${base}

${formatSteps([
  ['Read how the API works', `${base}/docs`],
  ['Create another key', command(options, `key create ${email}`)],
  ['Open the dashboard', command(options, `customer link ${email}`)],
])}
`;
}

/** Returns a command of this program for the served database. */
function command({ settings, program }: InvitationOptions, args: string): string {
  const { database } = settings;
  return `${program} ${args}${database === 'verbatim.db' ? '' : ` --db ${shellWord(database)}`}`;
}
