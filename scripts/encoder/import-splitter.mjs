/** The sentence splitter of the index, for scripts. */
import { build } from 'esbuild';

/** Bundles src/text/quotable.ts in memory and imports it from a data URL. */
export async function importSplitter() {
  const { outputFiles } = await build({
    entryPoints: [new URL('../../src/text/quotable.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}
