/** Pins processes to cores, so that clients do not take the server's time. Linux, with taskset. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

const SERVER_CORE = 0;
const LOAD_CORE = 1;

export interface Cores {
  /** What starts a process on the server's core; empty if nothing is pinned. */
  server: readonly string[];
  /** The same for a load generator. */
  load: readonly string[];
  /** One sentence for the report. */
  text: string;
}

/** Returns how to pin a server and its clients to a core each, if the machine can. */
export function findCores(): Cores {
  const obstacle = obstacleToPinning();
  if (obstacle !== undefined) return { server: [], load: [], text: `not pinned: ${obstacle}` };
  return {
    server: ['taskset', '-c', String(SERVER_CORE)],
    load: ['taskset', '-c', String(LOAD_CORE)],
    text: `the server on core ${SERVER_CORE}, its clients on core ${LOAD_CORE}`,
  };
}

function obstacleToPinning(): string | undefined {
  if (cpus().length <= LOAD_CORE) return 'the machine has one core';
  try {
    execFileSync('taskset', ['-c', `${SERVER_CORE},${LOAD_CORE}`, 'true'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'taskset cannot be run';
  }
}
