/** A real PostgreSQL of the tests' own: a cluster in a temporary folder, on a socket in it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
/** Nobody, who owns nothing. PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65_534;

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

/** Starts a cluster. Throws if PostgreSQL is not installed. */
export function startCluster(): Cluster {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const owner = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const run = (program: string, ...options: string[]): void => {
    const path = join(programs(), program);
    execFileSync(path, options, { ...owner, cwd: folder, stdio: 'ignore' });
  };
  run('initdb', '-D', data, '-U', 'verbatim', '--auth=trust', '--encoding=UTF8', '--no-sync');
  // Only a socket, so that no port can be taken.
  const options = `-c listen_addresses='' -k ${folder}`;
  const start = (): void =>
    run('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', join(folder, 'log'));
  const stop = (mode: string): void => run('pg_ctl', 'stop', '-w', '-D', data, '-m', mode);
  start();
  return {
    url: `postgres://verbatim@/postgres?host=${encodeURIComponent(folder)}`,
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

/**
 * The folder of PostgreSQL's programs: that of the version to be tested, or of the installed one. Debian
 * keeps them outside of the path.
 */
function programs(): string {
  const { VERBATIM_TEST_POSTGRES: chosen } = process.env;
  if (chosen !== undefined) return chosen;
  const found = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  if (found.status === 0 && existsSync(join(found.stdout.trim(), 'initdb')))
    return found.stdout.trim();
  const [latest] = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => +b - +a) : [];
  if (latest === undefined) throw new Error('install PostgreSQL: apt-get install postgresql');
  return join(DEBIAN, latest, 'bin');
}
