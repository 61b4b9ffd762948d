#!/usr/bin/env node
/**
 * `npm run measure -- NAME [options]` runs one measurement; `--help` lists all. NAME is a folder or a file
 * beside this one. What is in TypeScript is bundled into dist/, where it finds the program that it measures,
 * the native packages, the model, and the sample.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const EXIT_USAGE = 2;
const here = import.meta.dirname;
/** Packages that are in the bundle, too. */
const bundled = ['commander'];

/** How long each takes, and what it does. */
const measurements = {
  accounts: ['minutes', 'accounts on PostgreSQL and in the SQLite file, in turns'],
  'answer-features': ['minutes', 'print the features of sentences, for models/training'],
  arm64: ['a minute', 'the single file for arm64 prints its version in qemu-aarch64'],
  bench: ['minutes', 'speed, size and recall of an index and the server'],
  citations: ['five minutes', 'lists of 20 million citations: their bytes, and the time of a page'],
  client: ['seconds', 'build the client in TypeScript as one module with its types'],
  cluster: ['minutes', 'several servers on PostgreSQL, killed under load and audited'],
  conformance: ['a minute', 'the Model Context Protocol, by its own tests and Inspector'],
  docs: ['seconds', 'write the references of the documentation'],
  'evaluate-answers': ['a minute', 'whether quotes answer the development questions'],
  'evaluate-quotes': ['a minute', 'the verification of quotes made from an index'],
  'evaluate-references': ['minutes', 'the verification of true and fabricated references'],
  'evaluate-sentences': ['seconds', 'the sentence splitter on annotated abstracts'],
  lanes: ['ten minutes', 'searches while fallback lanes misbehave, one at a time and at random'],
  large: ['ten minutes', 'memory and time to add a file of gigabytes'],
  overload: ['five minutes', 'a server at ten times its capacity'],
  pages: ['two minutes', 'how long each page takes; with --pictures FOLDER, what it looks like'],
  'postgres-index': ['minutes', 'copy an index to several servers of PostgreSQL'],
  restarts: ['a minute', 'a server that restarts under load, behind proxies and without'],
  sources: ['minutes', 'updates of sources from stubs of their providers, killed and completed'],
  upgrades: ['a minute', 'migrate stored databases of each release, and compare what is in them'],
  structure: ['seconds', 'circular imports between folders of src'],
  terminal: ['a minute', 'record the terminal that README shows'],
};

const [name = '', ...rest] = process.argv.slice(2);
if (name in measurements) {
  process.argv.splice(2, Infinity, ...rest);
  await run(name, measurements[name][1]);
} else {
  const lines = Object.entries(measurements).map(
    ([one, [time, about]]) => `  ${one.padEnd(20)} ${time.padEnd(13)} ${about}`,
  );
  const isHelp = ['', '--help', '-h'].includes(name);
  const usage = 'Usage: npm run measure -- NAME [options]; NAME --help tells the options';
  if (!isHelp) process.stderr.write(`measure: there is no measurement "${name}"\n`);
  process.stdout.write(`${usage}\n\n${lines.join('\n')}\n`);
  process.exitCode = isHelp ? 0 : EXIT_USAGE;
}

/** Runs a script of Node, or the measurement that a module in TypeScript exports, or the module itself. */
async function run(measured, about) {
  if (existsSync(join(here, `${measured}.mjs`))) return await import(`./${measured}.mjs`);
  const entry = [`${measured}.ts`, `${measured}/main.ts`].find((path) =>
    existsSync(join(here, path)),
  );
  const outfile = join(here, `../dist/measure-${measured}.js`);
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(here, '../package.json'), 'utf8'),
  );
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  await build({
    stdin: {
      contents: `import * as script from './${entry}';
        import { runMeasurement } from './measure/run.ts';
        const { measurement } = script;
        if (measurement) await runMeasurement('${measured}', ${JSON.stringify(about)}, measurement);`,
      resolveDir: here,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: packages.filter((name) => !bundled.includes(name)),
    // commander is CommonJS. Bundled into a module, it needs a `require` for Node's modules.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  // The program itself does the same: see src/commands/library-environment.ts.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  await import(pathToFileURL(outfile).href);
}
