/** The progress line, on a terminal and in a file. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressDisplay } from '../../../src/commands/cli/progress.ts';
import { countsOf } from '../../ingest/index-files.ts';

/** Back to the start of the line, and away with what stands there. */
const CLEAR = '\r\u{1b}[K';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A display, and what it writes, piece by piece. */
function displayOn(options: { isTTY?: boolean; columns?: number; format?: 'json' | 'none' }) {
  const { format = 'text', ...terminal } = options;
  const written: string[] = [];
  const output = { ...terminal, write: (text: string) => written.push(text) };
  const display = createProgressDisplay(output as unknown as NodeJS.WriteStream, { format });
  return { display, written, shown: () => written.join('') };
}

describe('the status of a long step', () => {
  it('overwrites itself on a terminal and fits in one line', () => {
    const { display, written } = displayOn({ isTTY: true, columns: 30 });
    display.status('too soon');
    vi.advanceTimersByTime(200);
    display.status('arranging the index  7 %');
    display.status('too soon again');
    vi.advanceTimersByTime(200);
    display.status('arranging the index, which takes its time');
    expect(written).toEqual([
      'arranging the index  7 %',
      '\r\u{1b}[K',
      'arranging the index, which ta',
    ]);
  });

  it('is a separate line now and then in a file', () => {
    const { display, written } = displayOn({});
    for (let second = 0; second <= 30; second++) {
      display.status(`arranging the index  ${second} %`);
      vi.advanceTimersByTime(1000);
    }
    expect(written).toEqual([10, 20, 30].map((percent) => `arranging the index  ${percent} %\n`));
  });

  it('stays below a message and disappears at the end', () => {
    const { display, written } = displayOn({ isTTY: true, columns: 30 });
    vi.advanceTimersByTime(200);
    display.status('7 %');
    display.message('stopping');
    display.finish();
    display.finish();
    expect(written.join('')).toBe('7 %\r\u{1b}[Kstopping\n7 %\r\u{1b}[K');
  });

  it('still fits in one line below a message', () => {
    const { display, written } = displayOn({ isTTY: true, columns: 30 });
    vi.advanceTimersByTime(200);
    display.status('arranging the index, which takes its time');
    display.message('stopping');
    expect(written.at(-1)).toBe('arranging the index, which ta');
  });

  it('is not shown in quiet mode', () => {
    const { display, written } = displayOn({ isTTY: true, format: 'none' });
    vi.advanceTimersByTime(60_000);
    display.status('7 %');
    expect(written).toEqual([]);
  });
});

describe('the progress of a build', () => {
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
      '100 documents  1.0 MB of 9.0 MB',
      '2,200 documents  3.0 MB of 9.0 MB  1,050/s  6 s left  3 skipped (2 too long, 1 malformed)',
    ]);
  });

  it('says nothing of documents while there are none', () => {
    const { display, shown } = displayOn({ isTTY: true });
    for (const bytesRead of [1000, 2000]) {
      vi.advanceTimersByTime(1000);
      display.update({ ...countsOf({}), bytesRead, bytesTotal: 4000 });
    }
    expect(shown()).toBe(`1.0 kB of 4.0 kB${CLEAR}2.0 kB of 4.0 kB  2 s left`);
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
    expect(shown()).toBe(`${line}${CLEAR}a.jsonl:7: skipped\n${line}${CLEAR}`);
  });

  it('cuts a line that is wider than the terminal', () => {
    const { display, shown } = displayOn({ isTTY: true, columns: 12 });
    vi.advanceTimersByTime(1000);
    display.update({ ...countsOf({ added: 1 }), bytesRead: 1, bytesTotal: 2 });
    expect(shown()).toBe('1 documents');
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
