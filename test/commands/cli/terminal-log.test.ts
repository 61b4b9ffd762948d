/** The log on a terminal: short lines, and only what somebody who watches wants to see. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createTerminalLog, openLog } from '../../../src/commands/cli/terminal-log.ts';
import type { Log, LogFields } from '../../../src/log.ts';
import { readSettings, type Settings } from '../../../src/settings/config.ts';

const REQUEST: LogFields = {
  request_id: 'b1946ac9',
  method: 'POST',
  status: 200,
  sent: true,
  path: '/v1/search',
  key: '1f2e3d4c5b',
  milliseconds: 12.3,
};

/** What the log writes for some calls. */
function written(use: (log: Log) => void, hasColors = false): string {
  let text = '';
  const write = (piece: string): void => {
    text += piece;
  };
  use(createTerminalLog({ write, hasColors, now: () => new Date(2026, 10, 22, 9, 5, 7) }));
  return text;
}

const requestLine = (fields: LogFields, hasColors?: boolean): string =>
  written((log) => log.info('request', { ...REQUEST, ...fields }), hasColors);

describe('the line of a request', () => {
  it.each<[string, LogFields, string]>([
    ['a search', {}, 'POST /v1/search 200  12 ms  key 1f2e3d4c5b'],
    ['one without a key', { key: undefined, status: 401 }, 'POST /v1/search 401  12 ms'],
    [
      'one that failed',
      { status: 500 },
      'POST /v1/search 500  12 ms  key 1f2e3d4c5b  request b1946ac9',
    ],
    [
      'one whose caller was gone',
      { sent: false },
      'POST /v1/search 200  12 ms  key 1f2e3d4c5b  not sent  request b1946ac9',
    ],
    [
      'one with lanes',
      { lanes: 'served' },
      'POST /v1/search 200  12 ms  key 1f2e3d4c5b  lanes served',
    ],
    [
      'a page that is not there',
      { method: 'GET', path: '(unknown)', status: 404, key: undefined },
      'GET (unknown) 404  12 ms',
    ],
  ])('has the right fields: %s', (_, fields, line) => {
    expect(requestLine(fields)).toBe(`09:05:07 ${line}\n`);
  });

  it.each(['/dashboard', '/docs', '/health'])('is omitted for %s if it succeeded', (path) => {
    expect(requestLine({ method: 'GET', path, key: undefined })).toBe('');
  });
});

describe('colors', () => {
  it.each<[number, string]>([
    [200, 'POST'],
    [402, '\u{1b}[33mPOST'],
    [500, '\u{1b}[31mPOST'],
  ])('match the status %d', (status, start) => {
    expect(requestLine({ status }, true)).toContain(`\u{1b}[2m09:05:07\u{1b}[0m ${start}`);
  });

  it('are omitted on a terminal without colors', () => {
    expect(requestLine({ status: 500 })).not.toContain('\u{1b}');
  });
});

describe('events', () => {
  it('have their fields as words', () => {
    expect(written((log) => log.info('stopping', { signal: 'SIGINT', in_flight: 2 }))).toBe(
      '09:05:07 stopping  signal SIGINT  in flight 2\n',
    );
  });

  it('omit the end of the warm-up', () => {
    expect(written((log) => log.info('warmed_up', { searches: 800 }))).toBe('');
  });

  it('keep the lines of an error’s stack, without control characters', () => {
    const reason = 'Error: \u{1b}[2Jgone\n    at search';
    expect(written((log) => log.error('search_failed', { reason }))).toBe(
      '09:05:07 search failed  reason Error: \\u{1b}[2Jgone\n      at search\n',
    );
  });
});

/** What the log writes to an output, as it is opened for settings. */
function opened(
  overrides: Partial<Settings>,
  output: { isTTY?: boolean; fd?: number },
  use: (log: Log) => void,
): string[] {
  const lines: string[] = [];
  const stream = { ...output, hasColors: () => false, write: (line: string) => lines.push(line) };
  use(openLog(readSettings(overrides, {}), stream as unknown as NodeJS.WriteStream));
  return lines;
}

it('are complete JSON in a file or a pipe', () => {
  const lines = opened({}, {}, (log) => log.info('warmed_up', { searches: 800 }));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: expect.any(String), level: 'info', event: 'warmed_up', searches: 800 },
  ]);
});

describe('the settings', () => {
  it.each<[string, boolean, string]>([
    ['auto', false, '{'],
    ['auto', true, '\\d'],
    ['json', true, '{'],
    ['text', false, '\\d'],
  ])('choose the format: %s, terminal %j', (logFormat, isTTY, start) => {
    const [line] = opened({ logFormat }, { isTTY }, (log) => log.warn('happened'));
    expect(line).toMatch(new RegExp(`^${start}`));
  });

  it('choose the level on a terminal, too', () => {
    const use = (log: Log): void => {
      log.debug('one');
      log.info('two');
      log.warn('three');
    };
    expect(opened({ logLevel: 'warn' }, { isTTY: true }, use)).toHaveLength(1);
    expect(opened({ logLevel: 'debug' }, { isTTY: true }, use)).toHaveLength(3);
  });
});

describe('the journal of systemd', () => {
  const file = openSync(import.meta.filename, 'r');
  const { dev, ino } = fstatSync(file);
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => closeSync(file));

  it.each<[string, string, string]>([
    ['is this output', `${dev}:${ino}`, '<4>{'],
    ['is another output', `${dev}:${ino + 1}`, '{'],
    ['is not there', '', '{'],
  ])('gets priorities if it %s', (_name, stream, start) => {
    vi.stubEnv('JOURNAL_STREAM', stream);
    const [line = ''] = opened({}, { fd: file }, (log) => log.warn('happened'));
    expect(line.startsWith(`${start}"`)).toBe(true);
  });
});
