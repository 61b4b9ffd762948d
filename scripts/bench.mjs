#!/usr/bin/env node
/**
 * Measures Verbatim: see bench/main.ts, or --help. Needs dist/, as it measures what is in there.
 *
 * The benchmark is TypeScript that uses the sources, so it is bundled first: into dist/, beside the
 * program's own bundle, where the native packages, the model and the sample are found.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const top = new URL('..', import.meta.url);
const outfile = fileURLToPath(new URL('dist/bench.js', top));
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8'));
const bundledToo = ['commander'];

await build({
  entryPoints: [fileURLToPath(new URL('scripts/bench/main.ts', top))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: Object.keys(dependencies).filter((name) => !bundledToo.includes(name)),
  loader: { '.txt': 'text' },
  // commander is CommonJS: bundled into a module, it needs a `require` for Node's own parts.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
