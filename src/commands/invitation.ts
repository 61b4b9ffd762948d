/** What `verbatim start` says when it serves: where, with which key, and what to do next. Pure. */
import { baseUrl, linkUrl } from '../accounts/links.ts';
import type { Settings } from '../config.ts';
import { exampleQuestion } from '../example.ts';
import { formatNumber } from './output.ts';

/** What the first customer comes in by, with programs and with a browser. */
export interface FirstCustomer {
  secret: string;
  linkToken: string;
  credits: number;
}

export interface InvitationOptions {
  /** With the port that is in use. */
  settings: Settings;
  /** How this program is started, as `node dist/verbatim.js`. */
  program: string;
}

/** On the first run. The search is one command that can be copied as it stands. */
export function firstInvitation(
  { secret, linkToken, credits }: FirstCustomer,
  options: InvitationOptions,
): string {
  const { settings } = options;
  const base = baseUrl(settings);
  return `
Verbatim is ready at ${base}

Your API key, with ${formatNumber(credits)} credits. It is shown only now, so keep it:

  ${secret}

Ask the sample documents a question:

  curl -s ${base}/v1/search \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query": "${exampleQuestion}", "limit": 3}'

Open your dashboard. This link works once, within ${settings.linkHoursMax} hours:

  ${linkUrl(settings, linkToken)}

What next:
${steps([
  ['Read how the API works', `${base}/docs`],
  ['Add papers of your own', command(options, 'index add papers.jsonl')],
  ['Stop', 'Ctrl-C; the next start has this index and key again'],
])}
`;
}

/** On later runs: `email` is whose key or link may be wanted. */
export function nextInvitation(email: string, options: InvitationOptions): string {
  const base = baseUrl(options.settings);
  return `
Verbatim is ready at ${base}

${steps([
  ['Read how the API works', `${base}/docs`],
  ['Make another key', command(options, `key create ${email}`)],
  ['Open the dashboard', command(options, `customer link ${email}`)],
])}
`;
}

/** A command of this program, on the database that is served. */
function command({ settings, program }: InvitationOptions, args: string): string {
  const { database } = settings;
  return `${program} ${args}${database === 'verbatim.db' ? '' : ` --db ${shellWord(database)}`}`;
}

/** As the shell takes it for one word. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function steps(rows: readonly (readonly [what: string, how: string])[]): string {
  const width = Math.max(...rows.map(([what]) => what.length));
  return rows.map(([what, how]) => `  ${what.padEnd(width)}  ${how}`).join('\n');
}
