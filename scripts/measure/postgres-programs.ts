/** Where PostgreSQL's programs are, and who runs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
/** Nobody, who owns nothing. PostgreSQL refuses to run as root. */
const UNPRIVILEGED_ID = 65_534;

/** The user for PostgreSQL's programs: another one than root. Undefined: whoever runs this. */
export const postgresUser =
  process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : undefined;

/**
 * The folder of PostgreSQL's programs: of the version that a test chose, or of the installed one. Debian
 * keeps them outside of the path.
 */
export function postgresPrograms(): string {
  const { VERBATIM_TEST_POSTGRES: chosen } = process.env;
  if (chosen !== undefined) return chosen;
  const found = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  if (found.status === 0 && existsSync(join(found.stdout.trim(), 'initdb')))
    return found.stdout.trim();
  const [latest] = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => +b - +a) : [];
  if (latest === undefined) throw new Error('install PostgreSQL: apt-get install postgresql');
  return join(DEBIAN, latest, 'bin');
}
