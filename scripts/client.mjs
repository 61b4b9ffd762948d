#!/usr/bin/env node
/**
 * Builds the client of the HTTP API, src/client/client.ts, into a folder (default: dist/client): one
 * ES module without dependencies, and one file with its types.
 *
 *   npm run measure -- client FOLDER
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const top = fileURLToPath(new URL('..', import.meta.url));
const source = join(top, 'src/client/client.ts');
/** The modules with types. Only what the last one exports is public. */
const typed = ['types', 'client/answers', 'client/requests', 'client/client'];
const folder = resolve(process.argv[2] ?? join(top, 'dist/client'));

mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [source],
  outfile: join(folder, 'verbatim-client.js'),
  bundle: true,
  format: 'esm',
  target: 'es2023',
  logLevel: 'warning',
});
writeFileSync(join(folder, 'verbatim-client.d.ts'), typesOf(source));
console.log(`wrote verbatim-client.js and verbatim-client.d.ts to ${folder}`);

/** Returns the types of a module and of those that it imports as one text. */
function typesOf(path) {
  const out = mkdtempSync(join(tmpdir(), 'verbatim-client-'));
  try {
    const options = ['--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions'];
    const modules = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const folders = ['--rootDir', join(top, 'src'), '--outDir', out];
    const tsc = join(top, 'node_modules/.bin/tsc');
    execFileSync(tsc, [path, '--ignoreConfig', '--strict', ...options, ...modules, ...folders]);
    const texts = typed.map((name) => readFileSync(join(out, `${name}.d.ts`), 'utf8'));
    const own = texts.pop() ?? '';
    return [...texts.map((text) => text.replaceAll(/^export /gm, '')), own]
      .join('\n')
      .replaceAll(/^import [^;]*;\n/gm, '')
      .replaceAll(/^(export type \{[^}]*\}) from [^;]*;/gm, '$1;');
  } finally {
    rmSync(out, { recursive: true });
  }
}
