/** What Verbatim leaves on a machine: files that `verbatim init`, the single file, and servers made. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM_SETTINGS_FILE } from '../../settings/find-settings-file.ts';
import { DROP_IN_PATH, packagedUnit } from './packaged-unit.ts';
import { systemdTimers } from './systemd-timers.ts';
import { UNIT_PATH } from './systemd-unit.ts';

export interface Leftover {
  what: 'settings' | 'systemd' | 'proxy' | 'program' | 'database';
  path: string;
}

export interface KnownPaths {
  /** The settings file in use; undefined if there is none. */
  settingsFile: string | undefined;
  database: string;
  /** Folders into which the single file unpacks itself. */
  caches: readonly string[];
}

const UNIT_FOLDER = dirname(UNIT_PATH);
/** What the single file makes in its cache folder. */
const UNPACKED = /^(v-[\da-f]{24}(\.stamp)?|unpacking)$/;
/** What stands beside a database, after its name. */
const BESIDE_DATABASE = /^(-wal|-shm|-journal|-lock|-last-backup|\.before-[\w.-]+|\.copies)?$/;

/** Returns what is there. Folders count as a whole. */
export function findLeftovers({ settingsFile, database, caches }: KnownPaths): Leftover[] {
  const settings = [...new Set([settingsFile ?? SYSTEM_SETTINGS_FILE, SYSTEM_SETTINGS_FILE])];
  const proxies = settings.flatMap((path) =>
    ['verbatim.caddyfile', 'verbatim.nginx.conf'].map((name) => join(dirname(path), name)),
  );
  const found: Leftover[] = [
    ...existing('settings', settings),
    ...existing('proxy', [...new Set(proxies)]),
    ...existing('systemd', [UNIT_PATH, ...timerPaths(), DROP_IN_PATH]),
    ...caches.flatMap((folder) => inFolder('program', folder, (name) => UNPACKED.test(name))),
    ...inFolder('database', dirname(database), (name) => isOfDatabase(name, basename(database))),
  ];
  return found;
}

/** Names of units that `verbatim init` or the Debian package may have enabled. */
export function unitNames(): string[] {
  const timers = timerPaths().filter((path) => path.endsWith('.timer'));
  return [UNIT_PATH, ...timers].map((path) => basename(path));
}

function timerPaths(): string[] {
  return systemdTimers(packagedUnit).map(({ name }) => join(UNIT_FOLDER, name));
}

function isOfDatabase(name: string, database: string): boolean {
  return name.startsWith(database) && BESIDE_DATABASE.test(name.slice(database.length));
}

function existing(what: Leftover['what'], paths: readonly string[]): Leftover[] {
  return paths.filter((path) => existsSync(path)).map((path) => ({ what, path }));
}

function inFolder(
  what: Leftover['what'],
  folder: string,
  isOurs: (name: string) => boolean,
): Leftover[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(isOurs).sort();
  return names.map((name) => ({ what, path: join(folder, name) }));
}
