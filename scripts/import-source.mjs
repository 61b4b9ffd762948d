/** Modules of the program, for scripts. */
import { build } from 'esbuild';

const ROOT = new URL('..', import.meta.url);

/** Bundles a file of src/ in memory and imports it from a data URL. */
export async function importSource(path) {
  const { outputFiles } = await build({
    entryPoints: [new URL(path, ROOT).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}
