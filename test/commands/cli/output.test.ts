/** How numbers, times, and tables look. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseCount, parseDurationMs } from '../../../src/commands/cli/options.ts';
import { type Cell, formatTime, printTable } from '../../../src/commands/cli/output.ts';
import { formatDuration } from '../../../src/commands/cli/progress.ts';
import { formatBytes } from '../../../src/text/format-bytes.ts';
import { formatNumber } from '../../../src/text/format-number.ts';

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
  const refused = ['', ' ', '0', '-1', '+1', '01', '1.5', '1e3', '0x10', '1,000', ' 5', '5\n', '٣'];
  it.each([...refused, '1'.repeat(13), 'ten', 'NaN', 'Infinity'])('refuses %j', (text) => {
    expect(() => parseCount(text)).toThrow('It must be a whole number of at least 1.');
  });

  it('reads a whole number', () => {
    expect(parseCount('1')).toBe(1);
    expect(parseCount('999999999999')).toBe(999_999_999_999);
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

  it.each([
    '90',
    's',
    '1.5h',
    '-1d',
    '1w',
    '1 d',
    '7D',
    '1234567s',
    '',
    ' 1h',
    '1h\n',
    '1h30m',
    '1e3s',
  ])('refuses %j', (text) => {
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
