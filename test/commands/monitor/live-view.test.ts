/** The live view on a terminal of our own: keys, sizes, and what it leaves behind. */
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { showLive } from '../../../src/commands/monitor/live-view.ts';

const ENTER = '\u{1b}[?1049h\u{1b}[?25l';
const LEAVE = '\u{1b}[?25h\u{1b}[?1049l';

/** A terminal that keeps what is written and tells when. */
function createTerminal(columns = 80, rows = 24) {
  const modes: boolean[] = [];
  let written = '';
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
    pause: () => {},
  });
  const output = Object.assign(new EventEmitter(), {
    columns,
    rows,
    write: (text: string) => {
      written += text;
      return true;
    },
  });
  return {
    modes,
    output,
    input,
    text: () => written,
    /** The lines of the last frame. */
    lastFrame: () =>
      (written.split('\u{1b}[H').at(-1) ?? '')
        .split('\u{1b}[J')[0]
        ?.split('\r\n')
        .map((line) => line.replace('\u{1b}[K', '')),
    options: {
      input: input as unknown as NodeJS.ReadStream,
      output: output as unknown as NodeJS.WriteStream,
    },
  };
}

describe('the live view', () => {
  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u{3}'],
    ['Ctrl-D', '\u{4}'],
    ['one of several keys', 'xyq'],
  ])('ends with %s, and leaves the terminal as it was', async (_name, keys) => {
    const terminal = createTerminal();
    const listeners = process.listenerCount('SIGTERM');
    let reads = 0;
    await showLive({
      ...terminal.options,
      intervalMs: 1,
      read: async () => {
        if (++reads === 3) terminal.input.emit('data', Buffer.from(keys));
        return [`reading ${reads}`];
      },
    });
    expect(reads).toBe(3);
    expect(terminal.text().startsWith(ENTER)).toBe(true);
    expect(terminal.text().endsWith(LEAVE)).toBe(true);
    expect(terminal.text()).toContain('reading 2');
    expect(terminal.modes).toEqual([true, false]);
    expect(terminal.input.listenerCount('data')).toBe(0);
    expect(terminal.output.listenerCount('resize')).toBe(0);
    expect(process.listenerCount('SIGTERM')).toBe(listeners);
  });

  it('ignores other keys, and waits no longer than it must', async () => {
    const terminal = createTerminal();
    const showing = showLive({
      ...terminal.options,
      // Nobody would wait for the second reading.
      intervalMs: 3_600_000,
      read: async () => ['one'],
    });
    await expect.poll(terminal.lastFrame).toEqual(['one']);
    terminal.input.emit('data', Buffer.from('x\u{1b}[A'));
    terminal.input.emit('data', Buffer.from('q'));
    await showing;
  });

  it('draws again in the new size', async () => {
    const terminal = createTerminal(80, 24);
    const lines = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(100)}`);
    const showing = showLive({
      ...terminal.options,
      intervalMs: 3_600_000,
      read: async () => lines,
    });
    await expect.poll(() => terminal.lastFrame()?.length).toBe(24);
    Object.assign(terminal.output, { columns: 10, rows: 3 });
    terminal.output.emit('resize');
    expect(terminal.lastFrame()).toEqual(['0 xxxxxxxx', '1 xxxxxxxx', '2 xxxxxxxx']);
    terminal.input.emit('end');
    await showing;
  });
});
