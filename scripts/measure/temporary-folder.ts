/** The folder of a run. Nothing of the run stays, also after Ctrl-C. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcesses } from './processes.ts';

const EXIT_INTERRUPTED = 130;
const REMOVALS = 10;
const ENDING = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves to the result of `work`, which gets a new folder in `parent`. Afterward, and on SIGINT and SIGTERM,
 * the processes that the run started are ended and the folder is removed.
 */
export async function inTemporaryFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  const folder = mkdtempSync(join(parent, `verbatim-${name}-`));
  const tidyUp = (): void => {
    endProcesses();
    // A process that was just killed may still have made a file.
    rmSync(folder, { recursive: true, force: true, maxRetries: REMOVALS });
  };
  const interrupt = (): void => {
    tidyUp();
    process.exit(EXIT_INTERRUPTED);
  };
  // Not once: Ctrl-C sends one signal, and a process that started this one may pass on another. Without a
  // listener, that one would end this process while it tidies up.
  for (const signal of ENDING) process.on(signal, interrupt);
  try {
    return await work(folder);
  } finally {
    tidyUp();
    for (const signal of ENDING) process.off(signal, interrupt);
  }
}
