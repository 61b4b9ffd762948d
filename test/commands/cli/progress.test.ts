/** The progress line, on a terminal and in a file. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressDisplay } from '../../../src/commands/cli/progress.ts';

/** A stream that remembers what is written. */
function displayOn(isTTY: boolean, format: 'text' | 'json' | 'none' = 'text') {
  const written: string[] = [];
  const output = { isTTY, columns: 30, write: (text: string) => written.push(text) };
  const display = createProgressDisplay(output as unknown as NodeJS.WriteStream, { format });
  return { display, written };
}

describe('the status of a long step', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('overwrites itself on a terminal and fits in one line', () => {
    const { display, written } = displayOn(true);
    display.status('too soon');
    vi.advanceTimersByTime(200);
    display.status('arranging the index  7 %');
    display.status('too soon again');
    vi.advanceTimersByTime(200);
    display.status('arranging the index, which takes its time');
    expect(written).toEqual([
      '\r\u{1b}[K',
      'arranging the index  7 %',
      '\r\u{1b}[K',
      'arranging the index, which ta',
    ]);
  });

  it('is a separate line now and then in a file', () => {
    const { display, written } = displayOn(false);
    for (let second = 0; second <= 30; second++) {
      display.status(`arranging the index  ${second} %`);
      vi.advanceTimersByTime(1000);
    }
    expect(written).toEqual([10, 20, 30].map((percent) => `arranging the index  ${percent} %\n`));
  });

  it('stays below a message and disappears at the end', () => {
    const { display, written } = displayOn(true);
    vi.advanceTimersByTime(200);
    display.status('7 %');
    display.message('stopping');
    display.finish();
    display.finish();
    expect(written.join('')).toBe('\r\u{1b}[K7 %\r\u{1b}[Kstopping\n7 %\r\u{1b}[K');
  });

  it('still fits in one line below a message', () => {
    const { display, written } = displayOn(true);
    vi.advanceTimersByTime(200);
    display.status('arranging the index, which takes its time');
    display.message('stopping');
    expect(written.at(-1)).toBe('arranging the index, which ta');
  });

  it('is not shown in quiet mode', () => {
    const { display, written } = displayOn(true, 'none');
    vi.advanceTimersByTime(60_000);
    display.status('7 %');
    expect(written).toEqual([]);
  });
});
