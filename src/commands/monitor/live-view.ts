/** A view on a terminal that is drawn repeatedly until somebody leaves it. */

const ESCAPE = '\u{1b}';
/** The second screen of the terminal, so that the first one comes back as it was; no cursor. */
const ENTER = `${ESCAPE}[?1049h${ESCAPE}[?25l`;
const LEAVE = `${ESCAPE}[?25h${ESCAPE}[?1049l`;
const HOME = `${ESCAPE}[H`;
const CLEAR_LINE = `${ESCAPE}[K`;
const CLEAR_BELOW = `${ESCAPE}[J`;
const CTRL_C = '\u{3}';
const CTRL_D = '\u{4}';

export interface LiveViewOptions {
  /** Returns the lines to show. It must not throw. */
  read: () => Promise<readonly string[]>;
  intervalMs: number;
  input?: NodeJS.ReadStream;
  output?: NodeJS.WriteStream;
}

/** Shows the view. Resolves after `q`, Ctrl-C, or SIGTERM, with the terminal as it was before. */
export async function showLive({
  read,
  intervalMs,
  input = process.stdin,
  output = process.stdout,
}: LiveViewOptions): Promise<void> {
  let lines: readonly string[] = [];
  const draw = (): void => {
    output.write(frame(lines, output));
  };
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const onKey = (keys: Buffer): void => {
    const text = keys.toString();
    if ([...text].some((key) => ['q', 'Q', CTRL_C, CTRL_D].includes(key))) leave();
  };
  const end = (): void => {
    output.write(LEAVE);
  };
  // Whatever ends the process, the terminal must not stay as it is here.
  process.once('exit', end);
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
  input.setRawMode?.(true);
  input.on('data', onKey);
  input.once('end', leave);
  output.on('resize', draw);
  output.write(ENTER);
  try {
    while (!leaving.signal.aborted) {
      lines = await read();
      if (!leaving.signal.aborted) draw();
      await pause(intervalMs, leaving.signal);
    }
  } finally {
    output.off('resize', draw);
    input.off('data', onKey);
    input.off('end', leave);
    input.setRawMode?.(false);
    // Otherwise the process would wait for more keys.
    input.pause();
    process.off('SIGTERM', leave);
    process.off('SIGINT', leave);
    process.off('exit', end);
    end();
  }
}

/** Draws over the last frame, cut to the terminal. */
function frame(lines: readonly string[], { columns, rows }: NodeJS.WriteStream): string {
  const shown = lines.slice(0, rows).map((line) => `${line.slice(0, columns)}${CLEAR_LINE}`);
  return `${HOME}${shown.join('\r\n')}${CLEAR_BELOW}`;
}

/** Resolves after the time, or when the view is left. */
function pause(intervalMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, intervalMs);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
