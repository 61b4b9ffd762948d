/** What operators read of an alert, by mail and by webhook. Pure. */
import type { Mail } from '../../accounts/mail.ts';
import { type AlertKind, alertTable } from './alert-kinds.ts';
import type { Condition } from './conditions.ts';

export interface AlertMessage {
  /** The same for each attempt. */
  id: string;
  kind: AlertKind | 'test';
  state: 'raised' | 'cleared' | 'test';
  /** Whose condition it is; '': that of all servers together. */
  server: string;
  summary: string;
  advice: string;
  /** In milliseconds since 1970; null if it is over, or nobody knows. */
  since: number | null;
  /** When the server noticed. */
  at: number;
}

export interface Occasion {
  kind: AlertKind;
  server: string;
  at: number;
}

/** Returns the message that a condition is there, or without one, that it is over. */
export function messageOf(
  { kind, server, at }: Occasion,
  condition: Condition | undefined,
): AlertMessage {
  const { title, advice } = alertTable[kind];
  const state = condition === undefined ? 'cleared' : 'raised';
  return {
    id: `${kind}-${server}-${state}-${at}`,
    kind,
    state,
    server,
    summary: condition === undefined ? `${title}: over` : `${title}: ${condition.text}`,
    advice: condition === undefined ? '' : advice,
    since: condition?.since ?? null,
    at,
  };
}

/** Returns the message of the button "Send a test". */
export function testMessage(server: string, at: number): AlertMessage {
  const summary = 'This is a test of alerts. Nothing is wrong.';
  const common = { server, summary, advice: '', since: null, at };
  return { id: `test-${server}-${at}`, kind: 'test', state: 'test', ...common };
}

/** Returns the mail. `link` is the address of the operator's pages; undefined if there is none. */
export function mailOf(message: AlertMessage, link: string | undefined): Omit<Mail, 'to'> {
  const { summary, advice, server, since, at } = message;
  const lines = [
    `${summary}.`.replace(/\.\.$/, '.'),
    ...(since === null ? [] : [`Since: ${timeOf(since)}`]),
    `Noticed: ${timeOf(at)}${server === '' ? '' : `, at ${server}`}`,
    ...(advice === '' ? [] : [advice]),
    ...(link === undefined ? [] : [link]),
    '',
  ];
  return { subject: `Verbatim: ${summary}`, text: lines.join('\n\n') };
}

/** Returns the body of the webhook. Times are in ISO 8601. */
export function webhookBodyOf({ since, at, ...rest }: AlertMessage): string {
  const iso = (time: number): string => new Date(time).toISOString();
  return JSON.stringify({ ...rest, since: since === null ? null : iso(since), at: iso(at) });
}

function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
