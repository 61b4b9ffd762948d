/** What was typed into a form that was sent without a session, until its sender has signed in. */
import { readToken, tokenCookie } from '../../accounts/cookies.ts';
import { VerbatimError } from '../../errors.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { AnyCall } from './page.ts';

/** Fields that are typed again: secrets, and what belongs to the session that is over. */
const NOT_KEPT = /password|code|pending|secret|^form_/;
/** Those who wait have no session yet, so nobody owns more than others. */
const NOBODY = 0;

/** Keeps a form. Returns the cookie by which its browser gets it back. */
export function keepForm(
  { keptForms, accounts, isSecure }: DashboardDeps,
  { request, form }: AnyCall,
): string[] {
  const { bodyBytesMax, keptFormMs } = accounts.settings;
  const kept = new URLSearchParams([...form].filter(([name]) => !NOT_KEPT.test(name)));
  if (kept.toString().length > bodyBytesMax) return [];
  const token = keptForms.put(NOBODY, { path: request.path, form: kept });
  return [tokenCookie('kept', { token, maxAgeSeconds: Math.ceil(keptFormMs / 1_000) }, isSecure)];
}

/** Returns the form that this browser sent to this page, once; undefined if there is none. */
export function takeForm(
  { keptForms, isSecure }: DashboardDeps,
  { request }: AnyCall,
): URLSearchParams | undefined {
  const name = readToken('kept', request.header('cookie'), isSecure) ?? '';
  if (keptForms.get(NOBODY, name)?.path !== request.path) return undefined;
  return keptForms.take(NOBODY, name)?.form;
}

/** What the page says above the form. */
export function notSent(): VerbatimError {
  return new VerbatimError(
    'foreign_form',
    'You were signed out, so this was not sent. Send it again',
  );
}
