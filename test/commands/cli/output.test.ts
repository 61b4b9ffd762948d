/** How numbers, times, tables and progress look. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseCount, parseDurationMs } from '../../../src/commands/cli/options.ts';
import {
  type Cell,
  formatNumber,
  formatTime,
  printTable,
} from '../../../src/commands/cli/output.ts';
import { createProgressDisplay, formatDuration } from '../../../src/commands/cli/progress.ts';
import { formatBytes } from '../../../src/text/format-bytes.ts';
import { countsOf } from '../../ingest/index-files.ts';

/** Back to the start of the line, and away with what stands there. */
const CLEAR = '\r\u{1b}[K';

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
    [-1000, '-1,000'],
    [-100, '-100'],
    [123_456_789_012, '123,456,789,012'],
    [1234.5678, '1,234.5678'],
  ])('shows %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [23_140_980, '23.1 MB'],
    [4_200_000_000, '4.2 GB'],
    [9e15, '9000.0 TB'],
  ])('shows %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatTime', () => {
  it.each([
    [null, ''],
    [0, '1970-01-01 00:00:00'],
    [Date.UTC(2026, 10, 21, 9, 30, 5, 999), '2026-11-21 09:30:05'],
  ])('shows %d as %j', (time, text) => {
    expect(formatTime(time)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [61, '2 min'],
    [3540, '59 min'],
    [3600, '1 h 0 min'],
    [12_000, '3 h 20 min'],
    [90_061, '25 h 2 min'],
  ])('shows %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});

describe('parseCount', () => {
  it.each(['0', '-1', '1.5', '', ' 1', '1e3', 'ten', '01', '1'.repeat(13)])(
    'refuses %j',
    (text) => {
      expect(() => parseCount(text)).toThrow('It must be a whole number of at least 1.');
    },
  );

  it('reads a whole number', () => {
    expect(parseCount('1')).toBe(1);
    expect(parseCount('120')).toBe(120);
  });
});

describe('parseDurationMs', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['0s', 0],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDurationMs(text)).toBe(milliseconds);
  });

  it.each(['90', 's', '1.5h', '-1d', '1w', '1 d', '7D', '1234567s', ''])('refuses %j', (text) => {
    expect(() => parseDurationMs(text)).toThrow('It must be a number with a unit');
  });
});

describe('printTable', () => {
  let printed = '';
  beforeEach(() => {
    printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each<[what: string, headings: string[], rows: Cell[][], text: string]>([
    ['no rows', ['name'], [], '(none)\n'],
    [
      'texts to the left',
      ['name', 'key'],
      [
        ['a', 'b'],
        ['long one', 'c'],
      ],
      'name      key\na         b\nlong one  c\n',
    ],
    [
      'numbers to the right',
      ['name', 'n'],
      [
        ['a', 5],
        ['b', 1200],
      ],
      'name      n\na         5\nb     1,200\n',
    ],
    ['nothing behind the last column', ['a', 'wide heading'], [['x', '']], 'a  wide heading\nx\n'],
  ])('prints %s', (_, headings, rows, text) => {
    printTable(headings, rows);
    expect(printed).toBe(text);
  });
});

describe('createProgressDisplay', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows documents, bytes, rate, time left and bad records', () => {
    const { display, shown } = displayOn({ isTTY: true, columns: 100 });
    vi.advanceTimersByTime(1000);
    display.update({ ...countsOf({ added: 100 }), bytesRead: 1_000_000, bytesTotal: 9_000_000 });
    vi.advanceTimersByTime(2000);
    display.update({
      ...countsOf({ added: 100, updated: 50, unchanged: 2050, skipped: 3 }),
      skippedBy: { too_long: 2, malformed: 1 },
      bytesRead: 3_000_000,
      bytesTotal: 9_000_000,
    });
    expect(shown().split(CLEAR)).toEqual([
      '',
      '100 documents  1.0 MB of 9.0 MB',
      '2,200 documents  3.0 MB of 9.0 MB  1,050/s  6 s left  3 skipped (2 too long, 1 malformed)',
    ]);
  });

  it('omits the size and the time left if the size is unknown', () => {
    const { display, shown } = displayOn({ isTTY: false });
    for (const documents of [100, 300]) {
      vi.advanceTimersByTime(10_000);
      const read = { bytesRead: documents * 1000, bytesTotal: 0 };
      display.update({ ...countsOf({ added: documents }), ...read });
    }
    expect(shown()).toBe('100 documents  100.0 kB\n300 documents  300.0 kB  20/s\n');
  });

  it('prints a line of JSON now and then for programs', () => {
    const { display, shown } = displayOn({ isTTY: true, format: 'json' });
    for (const added of [100, 300]) {
      vi.advanceTimersByTime(10_000);
      display.update({ ...countsOf({ added }), bytesRead: added, bytesTotal: 500 });
    }
    const [, last = ''] = shown().split('\n');
    const rate = { documentsPerSecond: 20, secondsLeft: 10 };
    const counts = countsOf({ added: 300 });
    expect(JSON.parse(last)).toEqual({
      progress: { ...counts, bytesRead: 300, bytesTotal: 500, ...rate },
    });
  });

  it('shows a message above the progress on a terminal', () => {
    const { display, shown } = displayOn({ isTTY: true });
    vi.advanceTimersByTime(1000);
    display.update({ ...countsOf({ added: 1 }), bytesRead: 1, bytesTotal: 2 });
    display.message('a.jsonl:7: skipped');
    display.finish();
    const line = '1 documents  1 B of 2 B';
    expect(shown()).toBe(`${CLEAR}${line}${CLEAR}a.jsonl:7: skipped\n${line}${CLEAR}`);
  });

  it('cuts a line that is wider than the terminal', () => {
    const { display, shown } = displayOn({ isTTY: true, columns: 12 });
    vi.advanceTimersByTime(1000);
    display.update({ ...countsOf({ added: 1 }), bytesRead: 1, bytesTotal: 2 });
    expect(shown()).toBe(`${CLEAR}1 documents`);
  });

  it('writes few lines, and no control characters, into a pipe', () => {
    const { display, shown } = displayOn({});
    for (let second = 0; second < 25; second++) {
      vi.advanceTimersByTime(1000);
      display.update({ ...countsOf({ added: second }), bytesRead: 1, bytesTotal: 2 });
    }
    display.finish();
    expect(shown()).toBe('9 documents  1 B of 2 B\n19 documents  1 B of 2 B  1/s\n');
  });

  it('shows only messages in quiet mode', () => {
    const { display, shown } = displayOn({ isTTY: true, format: 'none' });
    vi.advanceTimersByTime(60_000);
    display.update({ ...countsOf({ added: 1 }), bytesRead: 1, bytesTotal: 2 });
    display.message('a.jsonl:7: skipped');
    display.finish();
    expect(shown()).toBe('a.jsonl:7: skipped\n');
  });
});

function displayOn(options: { isTTY?: boolean; columns?: number; format?: 'json' | 'none' }) {
  const { format = 'text', ...terminal } = options;
  let text = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const stream = Object.assign(output, terminal) as unknown as NodeJS.WriteStream;
  return { display: createProgressDisplay(stream, { format }), shown: () => text };
}
