/** What operators read of an alert, by mail and by webhook. Pure. */
import type { Mail } from '../../accounts/mail.ts';
import { type AlertKind, alertTable, type Condition } from './alert-kinds.ts';

/** The webhook gets it as JSON: see ../README.md. */
export type AlertMessage = ReturnType<typeof messageOf>;

const test = { title: 'Only a test of alerts', advice: '', path: '/operator/alerts' };

/**
 * Returns the message that a condition is there, or without one, that it is over; or a test. `baseUrl` is the
 * address of the pages.
 */
export function messageOf(
  kind: AlertKind | 'test',
  condition: Condition | undefined,
  { server, at, baseUrl }: { server: string; at: number; baseUrl: string },
) {
  const { title, advice, path } = kind === 'test' ? test : alertTable[kind];
  const state = kind === 'test' ? kind : condition ? 'raised' : 'cleared';
  const isoOf = (time: number): string => new Date(time).toISOString();
  return {
    /** The same for each attempt. */
    id: `${kind}-${server}-${state}-${condition?.since ?? at}`,
    kind,
    state,
    server,
    summary: kind === 'test' ? title : `${title}: ${condition?.text ?? 'over'}`,
    advice: condition === undefined ? '' : advice,
    link: `${baseUrl}${path}`,
    since: condition?.since === undefined ? null : isoOf(condition.since),
    at: isoOf(at),
  };
}

/** Returns the mail. */
export function mailOf(message: AlertMessage): Omit<Mail, 'to'> {
  const { summary, advice, link, server, since, at } = message;
  const times = `${since === null ? '' : `Since ${since}. `}Noticed at ${at} by ${server}.`;
  const text = [`${summary}.`, times, advice, link].filter(Boolean).join('\n\n');
  return { subject: `Verbatim: ${summary}`, text: `${text}\n` };
}
