/**
 * SIGHUP means two things: an operator asks a server to reload, or the terminal that a server runs in
 * was closed. Without a listener, the first would end the server.
 */
import { closeSync, openSync } from 'node:fs';

export interface HangUps {
  /** Called for each request to reload, and at once if one has come already. */
  onReload(reload: () => void): void;
  /** Called when the terminal is gone. */
  onTerminalGone(stop: () => void): void;
  close(): void;
}

/** Listens to SIGHUP until it is closed. */
export function listenForHangUps(): HangUps {
  let reload: (() => void) | undefined;
  let stop = (): void => {};
  let isAsked = false;
  const listen = (): void => {
    if (process.stderr.isTTY && !hasTerminal()) stop();
    else if (reload === undefined) isAsked = true;
    else reload();
  };
  process.on('SIGHUP', listen);
  return {
    onReload(callback) {
      reload = callback;
      if (isAsked) callback();
    },
    onTerminalGone(callback) {
      stop = callback;
    },
    close: () => process.removeListener('SIGHUP', listen),
  };
}

/** Whether the process still has the terminal that it was started in. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
