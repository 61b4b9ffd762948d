#!/usr/bin/env node
/**
 * Takes screenshots of the dashboard: see screenshots/take.ts, or --help. Needs dist/ and Chromium. Bundles the
 * script into dist/, because it is TypeScript that imports the sources.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const top = new URL('..', import.meta.url);
const outfile = fileURLToPath(new URL('dist/screenshots.js', top));
await build({
  entryPoints: [fileURLToPath(new URL('scripts/screenshots/take.ts', top))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
