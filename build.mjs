/**
 * Builds dist/: the bundle and the files that cannot be bundled. The folder also runs after it is
 * copied elsewhere. `scripts/packaging` builds the same for another Node or processor.
 *
 *   dist/verbatim.js      the program
 *   dist/chunks/          its parts, loaded on demand
 *   dist/node_modules/    packages with native parts, for this platform only
 *   dist/models/          the bundled embedding model
 *   dist/sample/          the sample documents
 *   dist/dashboard/       stylesheet, script and icon of the dashboard
 *   dist/schema/          the SQL that makes the tables of a new database
 *   dist/licenses.json    the licenses of all of this
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { collectLicenses } from './scripts/licenses/collect.mjs';

const top = dirname(fileURLToPath(import.meta.url));
const { version, engines } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const ABI_OF_NODE_22 = 127;

/** Version 12 of better-sqlite3 needs these to find its binary. */
const finderOfBindings = {
  bindings: ['package.json', 'LICENSE.md', 'bindings.js'],
  'file-uri-to-path': ['package.json', 'LICENSE', 'index.js'],
};

/**
 * The packages that are not bundled, and the files that they need. These are the packages with
 * native parts, the packages that those load at run time, and piscina, which starts threads from its
 * own file.
 */
function nativePackages({ platform, arch, abi }) {
  const vectorPackage = `sqlite-vec-${platform === 'win32' ? 'windows' : platform}-${arch}`;
  return {
    'better-sqlite3': [
      'package.json',
      'LICENSE',
      'lib',
      'build/Release/better_sqlite3.node',
      `prebuilds/${platform}-${arch}.node`,
    ],
    ...(isForNode20(abi) ? finderOfBindings : {}),
    'sqlite-vec': ['package.json', 'README.md', 'index.mjs', 'index.cjs'],
    [vectorPackage]: ['package.json', 'README.md', 'vec0.so', 'vec0.dylib', 'vec0.dll'],
    'onnxruntime-node': ['package.json', 'README.md', 'dist', `bin/napi-v6/${platform}/${arch}`],
    'onnxruntime-common': ['package.json', 'README.md', 'dist/cjs', 'dist/esm'],
    tokenizers: [
      'package.json',
      'LICENSE',
      'index.js',
      `tokenizers.${platform}-${arch}-gnu.node`,
      `tokenizers.${platform}-${arch}.node`,
    ],
    'uWebSockets.js': ['package.json', 'uws.js', `uws_${platform}_${arch}_${abi}.node`],
    piscina: ['package.json', 'LICENSE', 'dist'],
  };
}

/**
 * The folder of better-sqlite3 for a Node with this ABI version. Version 12, compiled for Node 24,
 * aborts there; version 13 needs Node 22.14, so npm installs it only on 22 and later.
 */
function sqliteFolder(abi) {
  return join(top, 'node_modules', isForNode20(abi) ? 'better-sqlite3' : 'better-sqlite3-13');
}

function isForNode20(abi) {
  return Number(abi) < ABI_OF_NODE_22;
}

/**
 * Builds the program into the folder `dist`, whose former content is removed, except for what
 * `npm run package` made there. `target` names the
 * platform, processor (`arch`), and ABI version of the Node that will run it. `folders` names the
 * folders of packages that are to be taken from elsewhere than node_modules/. `parts` are what else
 * will be delivered with the folder, for the list of licenses. Throws if a license text is missing.
 */
export async function buildInto(dist, target, { folders = {}, parts = [] } = {}) {
  const packages = nativePackages(target);
  const elsewhere = { 'better-sqlite3': sqliteFolder(target.abi), ...folders };
  const sources = [];
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (!isPackage(name)) rmSync(join(dist, name), { recursive: true });
  }
  for (const [name, files] of Object.entries(packages)) {
    const from = elsewhere[name] ?? join(top, 'node_modules', name);
    if (existsSync(from)) sources.push(from);
    for (const file of files) copy(join(from, file), join(dist, 'node_modules', name, file));
    // npm drops an optional package without a word if it cannot be installed.
    if (name === 'better-sqlite3' && !existsSync(from)) {
      throw new Error(`${relative(top, from)} is missing: run \`npm ci\` again`);
    }
  }
  for (const [from, to] of [
    ['models/verbatim-MiniLM-L6', 'models/verbatim-MiniLM-L6'],
    ['src/sample', 'sample'],
    ['src/dashboard/assets', 'dashboard/assets'],
    ['src/database/schema/sqlite', 'schema/sqlite'],
    ['src/database/schema/postgres', 'schema/postgres'],
    // The package has no license file. This copy fits, because both works use the Apache License 2.0.
    ['models/verbatim-MiniLM-L6/LICENSE', 'node_modules/uWebSockets.js/LICENSE'],
    ['scripts/uwebsockets/NOTICE', 'node_modules/uWebSockets.js/NOTICE'],
  ]) {
    cpSync(join(top, from), join(dist, to), { recursive: true });
  }
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n');
  const { metafile } = await bundle(dist, Object.keys(packages));
  const licenses = collectLicenses({
    top,
    metafile,
    folders: sources,
    parts: [...ownParts(), ...parts],
  });
  writeFileSync(join(dist, 'licenses.json'), JSON.stringify(licenses));
}

/** Whether a name in dist/ is that of a single file or of a Debian package, or of what belongs to them. */
function isPackage(name) {
  return /^(verbatim(-linux-\w+(\.cdx\.json)?|_\S+\.deb)|SHA256SUMS(\.sig)?)$/.test(name);
}

/** What every build contains besides packages. */
function ownParts() {
  const model = join(top, 'models/verbatim-MiniLM-L6');
  const { name, files } = JSON.parse(readFileSync(join(model, 'manifest.json'), 'utf8'));
  return [
    {
      name,
      version: files['model.onnx'].sha256.slice(0, 12),
      license: 'Apache-2.0',
      file: join(model, 'LICENSE'),
    },
    {
      name: 'SQLite',
      version: 'in better-sqlite3',
      license: 'public domain',
      file: join(top, 'scripts/licenses/public-domain.txt'),
    },
  ];
}

function bundle(dist, external) {
  return build({
    entryPoints: [join(top, 'src/main.ts')],
    outdir: dist,
    entryNames: 'verbatim',
    chunkNames: 'chunks/[name]-[hash]',
    absWorkingDir: top,
    bundle: true,
    // Puts code behind `import()` into separate files, which are read only on demand.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external,
    plugins: [requiring(external)],
    define: {
      VERBATIM_VERSION: JSON.stringify(version),
      VERBATIM_COMMIT: JSON.stringify(commit()),
    },
    // hyper-express is CommonJS. Bundled into a module, it needs a `require` for Node's modules.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
  });
}

/**
 * Turns imports of packages beside the bundle into `require`. Node's `import` of a CommonJS package first
 * scans its files for their exports, in each thread, which takes longer than to run them.
 */
function requiring(packages) {
  const namespace = 'beside-the-bundle';
  return {
    name: 'requiring',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        packages.includes(path) && kind === 'import-statement' ? { path, namespace } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = require('${path}');`,
      }));
    },
  };
}

/** The commit that is built. "unknown" outside of a git work tree, as in an unpacked archive. */
export function commit() {
  try {
    const options = { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}

/** Copies a file if it exists. No package has the files of all platforms. */
function copy(source, target) {
  if (!existsSync(source)) return;
  cpSync(source, target, {
    recursive: true,
    filter: (file) => !/\.(map|d\.ts|d\.mts)$/.test(file),
  });
}

/**
 * Throws if `engines` in package.json does not allow this Node. npm only warns, and better-sqlite3 13
 * crashes on a Node before 22.14.
 */
function assertSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const supported = [...engines.node.matchAll(/\^(\d+)(?:\.(\d+))?/g)];
  if (supported.some(([, its, least = '0']) => major === Number(its) && minor >= Number(least))) {
    return;
  }
  console.error(
    `Node ${process.versions.node} is not supported. package.json allows ${engines.node}.`,
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  assertSupportedNode();
  const { platform, arch } = process;
  const dist = join(top, 'dist');
  await buildInto(dist, { platform, arch, abi: process.versions.modules });
  console.error(
    `built ${relative(process.cwd(), dist) || '.'} for ${platform} ${arch}, version ${version}`,
  );
}
