/** Describes the machine of the figures. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryBytes: number;
  node: string;
  system: string;
  /** The load of the last minute. Above 0, other processes used the machine too. */
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
