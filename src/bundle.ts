/**
 * Where the parts lie that are no code of ours: in dist/ beside the bundle, or, for code that runs
 * from its sources in a test, at the top of the source tree.
 */
import { existsSync } from 'node:fs';
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
  const path = 'models/all-MiniLM-L6-v2';
  return findUpwards(path) ?? missing(path);
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
