/** The server of a database, whoever started it: how it stops, starts again, and when it is ready. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServed, servingProcess } from '../../database/sqlite/process-lock.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import { stopSeconds, UNIT_PATH } from '../setup/systemd-unit.ts';

export interface RunningServer {
  /**
   * Ends it. From then on it starts by itself as soon as this process is dead, and all processes that have
   * got the stream as a file. Throws `upgrade_failed` if it does not end.
   */
  stop(): Promise<Writable>;
  /** Starts the program that has the file's name by now. Throws `upgrade_failed` if systemd does not. */
  start(): Promise<void>;
  /** Resolves when it is ready. Throws `upgrade_failed` if it ends or is not ready in time. */
  untilReady(): Promise<void>;
}

const UNIT = basename(UNIT_PATH);
const LOOK_EVERY_MS = 250;
/**
 * Waits for a line, or for the death of all who could write one and the end of process $0. Then it becomes
 * the program: the server does not stay stopped if the upgrade is killed.
 */
const WAIT = `read -r line || echo '{"level":"warn","event":"upgrade_killed"}' >&2
while [ -e "/proc/$0/exe" ]; do sleep 1; done
exec "$@" </dev/null`;

/**
 * Returns the server of the settings' database; undefined if none runs. Throws `usage` for one that this
 * user cannot restart, or that runs from another file than `program`.
 */
export async function findServer(
  settings: Settings,
  program: string,
): Promise<RunningServer | undefined> {
  const { database } = settings;
  const pid = servingProcess(database);
  if (pid === undefined) {
    if (!(await isServed(database))) return undefined;
    throw new VerbatimError('usage', `another user's server has ${database} open; use sudo`);
  }
  const env = environmentOf(pid);
  const file = env['VERBATIM_FILE'];
  if (file === undefined || !existsSync(file) || realpathSync(file) !== program) {
    throw new VerbatimError('usage', `the server (process ${pid}) does not run from ${program}`);
  }
  const isUnit = unitProcess() === pid;
  const started = isUnit ? undefined : processStarter(pid, { program, env });
  let [child, waiting]: (ChildProcess | undefined)[] = [];
  const stop = async (): Promise<Writable> => {
    const running = servingProcess(database);
    // One that waits already is for a server that was stopped, and not started.
    waiting ??= started?.startLater(running ?? 0) ?? startUnitLater();
    if (isUnit) stopUnit();
    else await endProcess(running, settings);
    return waiting.stdin as Writable;
  };
  const start = async (): Promise<void> => {
    child = waiting;
    waiting = undefined;
    child?.stdin?.end('\n');
    if (isUnit) await startUnit(child);
  };
  const hasEnded = (): boolean =>
    isUnit
      ? spawnSync('systemctl', ['is-failed', '--quiet', UNIT]).status === 0
      : child !== undefined && child.exitCode !== null && servingProcess(database) === undefined;
  // systemd gives the service its settings under another name, and a cache that only it may use.
  const settingsOfUnit = `VERBATIM_CONFIG=${env['VERBATIM_CONFIG'] ?? ''}`;
  const untilReady = async (): Promise<void> => {
    const end = performance.now() + settings.upgradeReadyMs;
    let said = '';
    while (performance.now() < end) {
      const health = started?.ask() ?? spawnSync('env', [settingsOfUnit, program, 'health']);
      if (health.status === 0) return;
      said = String(health.stderr)
        .trim()
        .replace(/^verbatim: /, '');
      if (hasEnded()) throw new VerbatimError('upgrade_failed', 'the server ended');
      await sleep(LOOK_EVERY_MS);
    }
    throw new VerbatimError('upgrade_failed', `the server was not ready in time: ${said}`);
  };
  return { stop, start, untilReady };
}

/** The main process of the unit; 0 without systemd or unit. */
function unitProcess(): number {
  if (!existsSync('/run/systemd/system')) return 0;
  const { stdout } = spawnSync('systemctl', ['show', '--property=MainPID', '--value', UNIT]);
  return Number(stdout ?? 0);
}

function stopUnit(): void {
  const { status } = spawnSync('systemctl', ['stop', UNIT], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new VerbatimError('upgrade_failed', `systemctl stop ${UNIT} failed`);
}

function startUnitLater(): ChildProcess {
  return startLater(0, ['systemctl', 'start', UNIT], { stdio: ['pipe', 'inherit', 'inherit'] });
}

async function startUnit(child: ChildProcess | undefined): Promise<void> {
  while (child?.exitCode === null && child.signalCode === null) await sleep(LOOK_EVERY_MS);
  if (child?.exitCode === 0) return;
  throw new VerbatimError('upgrade_failed', `systemctl start ${UNIT} failed`);
}

/** Starts a shell that becomes the program later. */
function startLater(
  running: number,
  words: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const child = spawn('sh', ['-c', WAIT, `${running}`, ...words], { ...options, detached: true });
  child.unref();
  return child;
}

async function endProcess(
  pid: number | undefined,
  { drainTimeoutMs }: Pick<Settings, 'drainTimeoutMs'>,
): Promise<void> {
  if (pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  const end = performance.now() + stopSeconds(drainTimeoutMs) * 1000;
  while (existsSync(`/proc/${pid}/exe`)) {
    if (performance.now() > end) {
      throw new VerbatimError('upgrade_failed', `process ${pid} does not end`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

interface Started {
  program: string;
  env: NodeJS.ProcessEnv;
}

/** Starts the server again as this process was started: user, folder, arguments, environment, and output. */
function processStarter(pid: number, { program, env }: Started) {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  // The single file becomes Node with the bundle.
  const args = words.slice(2);
  const cwd = readlinkSync(`/proc/${pid}/cwd`);
  const isRoot = process.geteuid?.() === 0;
  const { uid, gid } = statSync(`/proc/${pid}`);
  const output = [1, 2].map((number) => openOutput(`/proc/${pid}/fd/${number}`));
  const options = { cwd, env, ...(isRoot ? { uid, gid } : {}) };
  return {
    ask: () => spawnSync(program, ['health'], { cwd, env: { ...env, ...variablesOf(args) } }),
    startLater: (running: number) =>
      startLater(running, [program, ...args], { ...options, stdio: ['pipe', ...output] }),
  };
}

/** The options of `serve` that its health command needs to know. */
function variablesOf(args: readonly string[]): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = {};
  for (const [option, variable] of Object.entries({
    host: 'VERBATIM_HOST',
    port: 'VERBATIM_PORT',
    config: 'VERBATIM_CONFIG',
  })) {
    const at = args.findIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
    if (at >= 0) variables[variable] = args[at]?.split('=', 2)[1] ?? args[at + 1];
  }
  return variables;
}

function openOutput(path: string): number | 'ignore' {
  try {
    return openSync(path, 'a');
  } catch {
    // A socket, or a pipe that nobody reads any more.
    return 'ignore';
  }
}

function environmentOf(pid: number): NodeJS.ProcessEnv {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    pairs
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );
}
