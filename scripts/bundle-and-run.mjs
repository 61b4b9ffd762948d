/**
 * Runs a TypeScript script that imports the sources. It bundles the script into dist/, where the
 * script finds the native packages, the model and the sample.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const top = new URL('..', import.meta.url);
const bundledToo = ['commander'];

/**
 * `entry` is a path in scripts/. `outname` is the file name of the bundle. If the script exports a
 * measurement, it is run under its `name`, with what is said `about` it in --help.
 */
export async function bundleAndRun(entry, outname, { name = entry, about = '' } = {}) {
  const outfile = fileURLToPath(new URL(`dist/${outname}`, top));
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('package.json', top), 'utf8'),
  );
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  await build({
    stdin: {
      contents: `import * as script from './${entry}';
        import { runMeasurement } from './measure/run.ts';
        const { measurement } = script;
        if (measurement) await runMeasurement(${JSON.stringify(name)}, ${JSON.stringify(about)}, measurement);`,
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: packages.filter((dependency) => !bundledToo.includes(dependency)),
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
