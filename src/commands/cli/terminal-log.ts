/**
 * The log for people: one short line per search and per problem. Anything more would push the key
 * of the first start out of sight. Files and pipes get everything.
 */
import { fstatSync } from 'node:fs';
import { createLeveledLog, createLog, type Log, type LogFields, type LogLevel } from '../../log.ts';
import { journalStream, type Settings } from '../../settings/config.ts';
import { printable } from './output.ts';

export interface TerminalLogOptions {
  write: (text: string) => void;
  hasColors: boolean;
  leastLevel?: LogLevel;
  now?: () => Date;
}

type Color = 'dim' | 'red' | 'yellow';

const colorCodes: Record<Color, number> = { dim: 2, red: 31, yellow: 33 };
const API_PATH = '/v1/';
/** Events that are not useful on a terminal. */
const hiddenEvents: ReadonlySet<string> = new Set(['warmed_up', 'file_checked']);

type LogSettings = Pick<Settings, 'logLevel' | 'logFormat'>;

/**
 * Opens the log on standard error: lines for people on a terminal, one JSON object per line
 * elsewhere, unless the settings choose.
 */
export function openLog(
  { logLevel, logFormat }: LogSettings,
  output: NodeJS.WriteStream = process.stderr,
): Log {
  // The settings accept no other word.
  const leastLevel = logLevel as LogLevel;
  const write = (text: string): void => {
    output.write(text);
  };
  const isForPeople = logFormat === 'auto' ? output.isTTY : logFormat === 'text';
  if (!isForPeople) {
    return createLog(write, { leastLevel, isForJournal: isJournal(output) });
  }
  // hasColors() respects NO_COLOR and the terminal's abilities.
  const hasColors = output.isTTY && output.hasColors();
  return createTerminalLog({ write, hasColors, leastLevel });
}

/** Returns whether the output is the stream that systemd connected to its journal. */
function isJournal({ fd }: NodeJS.WriteStream & { fd?: number }): boolean {
  const stream = journalStream();
  if (stream === undefined || fd === undefined) return false;
  const { dev, ino } = fstatSync(fd);
  return stream === `${dev}:${ino}`;
}

/** Creates a log that writes lines for people. */
export function createTerminalLog(options: TerminalLogOptions): Log {
  const { write, hasColors, leastLevel = 'info', now = () => new Date() } = options;
  const paint = (text: string, color: Color | undefined): string =>
    hasColors && color !== undefined ? `\u{1b}[${colorCodes[color]}m${text}\u{1b}[0m` : text;
  const put = (text: string, color?: Color): void => {
    write(`${paint(now().toTimeString().slice(0, 8), 'dim')} ${paint(text, color)}\n`);
  };
  const colors: Partial<Record<LogLevel, Color>> = { debug: 'dim', warn: 'yellow', error: 'red' };
  return createLeveledLog(leastLevel, (level, event, fields) => {
    if (event !== 'request') {
      if (!hiddenEvents.has(event)) put(describeEvent(event, fields), colors[level]);
    } else if (!isRoutine(fields)) put(describeRequest(fields), colorOf(fields));
  });
}

/** Returns whether a request is routine: a page, an asset or a health check that succeeded. */
function isRoutine({ path, status, sent }: LogFields): boolean {
  return Number(status) < 400 && sent !== false && !String(path).startsWith(API_PATH);
}

function colorOf({ status, sent }: LogFields): Color | undefined {
  if (Number(status) >= 500) return 'red';
  return Number(status) >= 400 || sent === false ? 'yellow' : undefined;
}

/** Returns for example `POST /v1/search 200  12 ms  key 1f2e3d4c5b`, with anything unusual. */
function describeRequest(fields: LogFields): string {
  const { method, path, status, milliseconds, key, sent, request_id: id, ...others } = fields;
  const parts = [`${method} ${path} ${status}`, `${Math.round(Number(milliseconds))} ms`];
  if (key !== undefined) parts.push(`key ${key}`);
  if (sent === false) parts.push('not sent');
  // The operator needs the id for a refund, or to find the error in another line.
  if (Number(status) >= 500 || sent === false) parts.push(`request ${id}`);
  return [printable(parts.join('  ')), ...describeFields(others)].join('  ');
}

function describeEvent(event: string, fields: LogFields): string {
  if (event === 'serving') {
    const { version, host, port } = fields;
    return printable(`Verbatim ${version} listens on ${host}, port ${port}`);
  }
  return [event.replaceAll('_', ' '), ...describeFields(fields)].join('  ');
}

/** Keeps the lines of long reasons, such as stacks, indented below the first. */
function describeFields(fields: LogFields): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const lines = String(value).split('\n').map(printable);
      return `${name.replaceAll('_', ' ')} ${lines.join('\n  ')}`;
    });
}
