/** A real PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms, postgresUser } from '../../scripts/cluster/postgres-programs.ts';

export interface Cluster {
  /** The address of its only database. */
  url: string;
  /** Ends it as a crash would, and starts it again. */
  crash(): void;
  /** Ends it as a crash would, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/**
 * Starts a cluster, with these settings as `name=value` if they are given. Throws if PostgreSQL is not
 * installed.
 */
export function startCluster(settings: readonly string[] = []): Cluster {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-'));
  const data = join(folder, 'data');
  if (postgresUser) chownSync(folder, postgresUser.uid, postgresUser.gid);
  const run = (program: string, ...options: string[]): void => {
    const path = join(postgresPrograms(), program);
    execFileSync(path, options, { ...postgresUser, cwd: folder, stdio: 'ignore' });
  };
  run('initdb', '-D', data, '-U', 'verbatim', '--auth=trust', '--encoding=UTF8', '--no-sync');
  // Only a socket, so that no port can be taken.
  const all = ["listen_addresses=''", ...settings].map((setting) => `-c ${setting}`);
  const options = `${all.join(' ')} -k ${folder}`;
  const start = (): void =>
    run('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', join(folder, 'log'));
  const stop = (mode: string): void => run('pg_ctl', 'stop', '-w', '-D', data, '-m', mode);
  start();
  // The name of the socket has the port.
  const ports = settings.filter((setting) => setting.startsWith('port='));
  return {
    url: `postgres://verbatim@/postgres?${[`host=${encodeURIComponent(folder)}`, ...ports].join('&')}`,
    crash() {
      stop('immediate');
      start();
    },
    pause: () => stop('immediate'),
    resume: start,
    stop() {
      stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
