/** One server of PostgreSQL: a primary, or the replica of another one. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { freePort } from './free-port.ts';
import { postgresPrograms, postgresUser } from './postgres-programs.ts';
import { startProcess } from './processes.ts';
import { until } from './until.ts';

const USER = 'verbatim';
const HOST = '127.0.0.1';
const TIMEOUT_MS = 60_000;
/** Another user may enter the folder, but not look around. */
const PASSABLE = 0o711;

export interface PostgresServer {
  name: string;
  port: number;
  /** A connection of the trial's own. */
  database: Database;
  /** The address of one of its databases. */
  urlOf(database: string): string;
  /** Makes an empty database. */
  initialize(): void;
  /** Makes a copy of the database of another server, whose replica it becomes. */
  copyFrom(primary: PostgresServer): void;
  /** Starts it. Resolves when it answers. */
  start(): Promise<void>;
  /** Ends all of its processes at one moment, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

/** Prepares a server in a folder of its own within `parent`. */
export async function createPostgresServer(name: string, parent: string): Promise<PostgresServer> {
  const folder = join(parent, `postgres-${name}`);
  const data = join(folder, 'data');
  const port = await freePort();
  const urlOf = (name: string): string => `postgres://${USER}@${HOST}:${port}/${name}`;
  const database = openDatabase({
    url: urlOf('postgres'),
    connectionsMax: 2,
    connectTimeoutMs: TIMEOUT_MS,
    statementTimeoutMs: TIMEOUT_MS,
  });
  mkdirSync(folder);
  if (postgresUser) {
    chmodSync(parent, PASSABLE);
    chownSync(folder, postgresUser.uid, postgresUser.gid);
  }
  const run = (program: string, ...args: string[]): void => {
    const path = join(postgresPrograms(), program);
    execFileSync(path, args, { ...postgresUser, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  let processId = 0;
  let ended: Promise<unknown> = Promise.resolve();
  return {
    name,
    port,
    database,
    urlOf,
    initialize: () => run('initdb', '-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8'),
    copyFrom(primary) {
      rmSync(data, { recursive: true, force: true });
      const source = `host=${HOST} port=${primary.port} user=${USER} application_name=${name}`;
      const options = ['-R', '--checkpoint=fast', '--wal-method=stream'];
      run('pg_basebackup', '-D', data, '-d', source, ...options);
    },
    async start() {
      const log = openSync(join(folder, 'log'), 'a');
      const settings = [`port=${port}`, `listen_addresses=${HOST}`, 'max_connections=200'];
      const options = settings.flatMap((setting) => ['-c', setting]);
      const program = join(postgresPrograms(), 'postgres');
      const child = startProcess([program, '-D', data, '-k', folder, ...options], {
        ...postgresUser,
        cwd: folder,
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      processId = child.pid ?? 0;
      ended = new Promise((resolve) => child.once('exit', resolve));
      await until(`PostgreSQL ${name} answers`, async () => {
        await database.query('SELECT 1');
        return true;
      });
    },
    async kill() {
      // A stopped parent neither starts nor ends children.
      process.kill(processId, 'SIGSTOP');
      // What has ended meanwhile is no obstacle.
      spawnSync('kill', ['-KILL', ...[...childrenOf(processId), processId].map(String)]);
      await ended;
    },
    async stop() {
      await database.close();
      process.kill(processId, 'SIGINT');
      await ended;
    },
  };
}

function childrenOf(id: number): number[] {
  const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}
