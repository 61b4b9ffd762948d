/**
 * Where the parts lie that are no code of ours: in dist/ beside the bundle, or, for code that runs
 * from its sources in a test, at the top of the source tree.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** The bundle itself, which worker threads run. */
export function bundlePath(): string {
  return (
    findUpwards('verbatim.js') ?? findUpwards('dist/verbatim.js') ?? missing('dist/verbatim.js')
  );
}

/** The model that comes with Verbatim. */
export function bundledModelPath(): string {
  const path = 'models/verbatim-MiniLM-L6';
  return findUpwards(path) ?? missing(path);
}

/** The name of the model that comes with Verbatim. */
export function bundledModelName(): string {
  const manifest = readFileSync(join(bundledModelPath(), 'manifest.json'), 'utf8');
  return (JSON.parse(manifest) as { name: string }).name;
}

/** The sample documents. */
export function samplePath(): string {
  return findUpwards('sample') ?? missing('sample');
}

/** Stylesheet, script and icon of the dashboard. */
export function dashboardAssetsPath(): string {
  return (
    findUpwards('dashboard/assets') ??
    findUpwards('src/dashboard/assets') ??
    missing('dashboard/assets')
  );
}

/** The SQL that makes the tables of a new database. */
export function schemaPath(database: 'sqlite' | 'postgres'): string {
  const path = `schema/${database}`;
  return findUpwards(path) ?? findUpwards(`src/database/${path}`) ?? missing(path);
}

/** The licenses of everything that was built. */
export function licensesPath(): string {
  return (
    findUpwards('licenses.json') ?? findUpwards('dist/licenses.json') ?? missing('licenses.json')
  );
}

/** The bill of materials, which only the single file has. */
export function sbomPath(): string | undefined {
  return findUpwards('sbom.cdx.json');
}

/** The version of a package that is not bundled; "unknown" if the package is missing. */
export function packageVersion(name: string): string {
  const path = findUpwards(`node_modules/${name}/package.json`);
  if (path === undefined) return 'unknown';
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function findUpwards(name: string): string | undefined {
  for (let folder = here; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

function missing(name: string): never {
  throw new Error(`${name} is not where the build puts it; run: npm run build`);
}
