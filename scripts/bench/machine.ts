/** What the figures were measured on. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryBytes: number;
  node: string;
  system: string;
  /** Processes that wanted to run in the last minute: above 0, the machine was not ours alone. */
  loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    system: `${type()} ${release()}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}
