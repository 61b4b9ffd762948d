/**
 * Builds dist/: the bundle and the files that cannot be bundled. The folder also runs after it is
 * copied elsewhere.
 *
 *   dist/verbatim.js      the program
 *   dist/chunks/          its parts, loaded on demand
 *   dist/node_modules/    packages with native parts, for this platform only
 *   dist/models/          the embedding model
 *   dist/sample/          the sample documents
 *   dist/dashboard/       stylesheet, script and icon of the dashboard
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const top = dirname(fileURLToPath(import.meta.url));
const dist = join(top, 'dist');
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));

const { platform, arch } = process;
const abi = process.versions.modules;
const vectorPackage = `sqlite-vec-${platform === 'win32' ? 'windows' : platform}-${arch}`;

/**
 * The packages that are not bundled, and the files that they need. These are the packages with
 * native parts, the packages that those load at run time, and piscina, which starts threads from its
 * own file.
 */
const packages = {
  'better-sqlite3': ['package.json', 'LICENSE', 'lib', 'build/Release/better_sqlite3.node'],
  bindings: ['package.json', 'LICENSE.md', 'bindings.js'],
  'file-uri-to-path': ['package.json', 'LICENSE', 'index.js'],
  'sqlite-vec': ['package.json', 'README.md', 'index.mjs', 'index.cjs'],
  [vectorPackage]: ['package.json', 'README.md', 'vec0.so', 'vec0.dylib', 'vec0.dll'],
  'onnxruntime-node': ['package.json', 'README.md', 'dist', `bin/napi-v6/${platform}/${arch}`],
  'onnxruntime-common': ['package.json', 'README.md', 'dist/cjs', 'dist/esm'],
  tokenizers: [
    'package.json',
    'LICENSE',
    'index.js',
    `tokenizers.${platform}-${arch}-gnu.node`,
    `tokenizers.${platform}-${arch}-musl.node`,
    `tokenizers.${platform}-${arch}.node`,
  ],
  'uWebSockets.js': ['package.json', 'uws.js', `uws_${platform}_${arch}_${abi}.node`],
  piscina: ['package.json', 'LICENSE', 'dist'],
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const [name, files] of Object.entries(packages)) {
  for (const file of files) copy(`node_modules/${name}/${file}`);
}
for (const [from, to] of [
  ['models', 'models'],
  ['src/sample', 'sample'],
  ['src/dashboard/assets', 'dashboard/assets'],
  // The package has no license file. This copy fits, because both works use the Apache License 2.0.
  ['models/all-MiniLM-L6-v2/LICENSE', 'node_modules/uWebSockets.js/LICENSE'],
  ['scripts/uwebsockets/NOTICE', 'node_modules/uWebSockets.js/NOTICE'],
]) {
  cpSync(join(top, from), join(dist, to), { recursive: true });
}
writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n');

await build({
  entryPoints: [join(top, 'src/main.ts')],
  outdir: dist,
  entryNames: 'verbatim',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // Puts code behind `import()` into separate files, which are read only on demand.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: Object.keys(packages),
  define: { VERBATIM_VERSION: JSON.stringify(version) },
  // hyper-express is CommonJS. Bundled into a module, it needs a `require` for Node's modules.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'warning',
});
console.error(
  `built ${relative(process.cwd(), dist) || '.'} for ${platform} ${arch}, version ${version}`,
);

/** Copies a file if it exists. No package has the files of all platforms. */
function copy(path) {
  const source = join(top, path);
  if (!existsSync(source)) return;
  cpSync(source, join(dist, path), {
    recursive: true,
    filter: (file) => !/\.(map|d\.ts|d\.mts)$/.test(file),
  });
}
