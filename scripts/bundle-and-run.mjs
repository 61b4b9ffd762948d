/**
 * Runs a TypeScript script that imports the sources. It bundles the script into dist/, where the
 * script finds the native packages, the model and the sample.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const top = new URL('..', import.meta.url);
const bundledToo = ['commander'];

/** `entry` is a path in scripts/. `name` is the file name of the bundle. */
export async function bundleAndRun(entry, name) {
  const outfile = fileURLToPath(new URL(`dist/${name}`, top));
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'));
  await build({
    entryPoints: [fileURLToPath(new URL(`scripts/${entry}`, top))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: Object.keys(dependencies).filter((dependency) => !bundledToo.includes(dependency)),
    loader: { '.txt': 'text' },
    // commander is CommonJS. Bundled into a module, it needs a `require` for Node's modules.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  // The program itself does the same: see src/commands/library-environment.ts.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  await import(pathToFileURL(outfile).href);
}
