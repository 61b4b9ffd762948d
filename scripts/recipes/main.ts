/**
 * Installs what the recipes of src/mcp/README.md need into a temporary folder, in the
 * versions of versions.json, and runs each recipe as it is printed there, against a server with
 * the sample. A stub stands for the models, so nothing but the package registries is asked.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePath } from '../../src/bundle.ts';
import { print } from '../../src/commands/cli/output.ts';
import { exampleQuestion } from '../../src/settings/example.ts';
import { createCustomer, readBooks } from '../measure/accounts.ts';
import { indexSample } from '../measure/databases.ts';
import { flag } from '../measure/options.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sourcePath } from '../measure/sample.ts';
import { startServer } from '../measure/server.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type Recipe, readRecipes } from './read-recipes.ts';
import { startStubModel } from './stub-model.ts';
import versions from './versions.json';

const INSTALL_MS_MAX = 10 * 60_000;
const RECIPE_MS_MAX = 2 * 60_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** What the recipes say instead of the server and the database of this run. */
const PRINTED_ADDRESS = 'https://search.example.org';
const PRINTED_DATABASE = '/srv/verbatim/verbatim.db';
/** The sentence of the sample that answers the question. */
const EXPECTED = 'people forget less over a night of sleep';

interface Tried {
  recipe: string;
  seconds: number;
  /** What went wrong; undefined if the recipe works. */
  failure?: string;
}

export const measurement = defineMeasurement({
  options: { verbose: flag('print what each recipe printed') },
  notes: 'Needs npm, python3 and the package registries.',
  run: ({ verbose }) => inTemporaryFolder('recipes', (folder) => runRecipes(folder, verbose)),
});

async function runRecipes(folder: string, isVerbose: boolean): Promise<Outcome> {
  const database = join(folder, 'verbatim.db');
  await indexSample(database);
  const key = createCustomer(database, 'recipes');
  const paths = await install(folder);
  const server = await startServer(database);
  const model = await startStubModel(exampleQuestion);
  const env = environmentOf(folder, { key, model: model.url, paths });
  const recipes: Tried[] = [];
  try {
    for (const recipe of readRecipes(readFileSync(sourcePath('src/mcp/README.md'), 'utf8'))) {
      const started = performance.now();
      const code = recipe.code
        .replaceAll(PRINTED_ADDRESS, server.url)
        .replaceAll(PRINTED_DATABASE, database);
      const { text, ...failure } = await run({ ...recipe, code }, { folder, env });
      if (isVerbose) print(`${recipe.name}\n${text}`);
      const seconds = (performance.now() - started) / 1_000;
      recipes.push({ recipe: recipe.name, seconds, ...failure });
    }
  } finally {
    model.close();
    await server.stop();
  }
  const { wrong, charged } = readBooks(database);
  const paid = `${charged.length} searches were paid by ${recipes.length} recipes`;
  if (charged.length !== recipes.length) wrong.push(paid);
  const rows = recipes.map(({ recipe, seconds, failure }) => [
    ...[recipe, seconds.toFixed(1)],
    failure === undefined ? 'works' : `failed: ${failure}`,
  ]);
  return {
    report: { recipes },
    shown: [{ head: ['recipe', 'seconds', 'result'], rows }],
    wrong,
    isMissed: recipes.some(({ failure }) => failure !== undefined),
  };
}

/** Installs the packages. Returns the folders with their commands, and one with `verbatim`. */
async function install(folder: string): Promise<string[]> {
  const bin = join(folder, 'bin');
  const node = join(folder, 'node');
  const python = join(folder, 'python');
  mkdirSync(bin);
  mkdirSync(node);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${bundlePath()}" "$@"\n`;
  writeFileSync(join(bin, 'verbatim'), program);
  chmodSync(join(bin, 'verbatim'), 0o755);
  const { npm, pip } = versions;
  const packages = Object.entries(npm).map(([name, version]) => `${name}@${version}`);
  const wheels = Object.entries(pip).map(([name, version]) => `${name}==${version}`);
  const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error'];
  await execute('npm', ['install', '--prefix', node, ...quiet, ...packages], { folder });
  await execute('python3', ['-m', 'venv', python], { folder });
  const ownPip = join(python, 'bin/pip');
  const still = ['--quiet', '--disable-pip-version-check'];
  await execute(ownPip, ['install', ...still, ...wheels], { folder });
  return [bin, join(node, 'node_modules/.bin'), join(python, 'bin')];
}

/** Nothing of the user's own settings counts, and the models are the stub. */
function environmentOf(
  folder: string,
  { key, model, paths }: { key: string; model: string; paths: readonly string[] },
): NodeJS.ProcessEnv {
  return {
    PATH: [...paths, process.env['PATH']].join(delimiter),
    HOME: folder,
    VERBATIM_CONFIG: 'none',
    VERBATIM_KEY: key,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

async function run(
  { language, code }: Recipe,
  where: { folder: string; env: NodeJS.ProcessEnv },
): Promise<{ text: string; failure?: string }> {
  const [program, option] = language === 'sh' ? ['sh', '-ec'] : ['python', '-c'];
  try {
    const text = await execute(program as string, [option as string, code], where);
    if (!text.includes(EXPECTED)) return { text, failure: `printed no quote: ${text.slice(-500)}` };
    const unconnected = text.split('\n').find((line) => /failed to connect/i.test(line));
    return unconnected === undefined ? { text } : { text, failure: unconnected };
  } catch (error) {
    return { text: '', failure: String(error).slice(-2_000) };
  }
}

/** Returns what a program printed. Rejects with both of its streams if it fails. */
async function execute(
  program: string,
  args: readonly string[],
  { folder, env }: { folder: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const running = promisify(execFile)(program, [...args], {
    cwd: folder,
    maxBuffer: OUTPUT_BYTES_MAX,
    timeout: env === undefined ? INSTALL_MS_MAX : RECIPE_MS_MAX,
    ...(env === undefined ? {} : { env }),
  });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout;
}
