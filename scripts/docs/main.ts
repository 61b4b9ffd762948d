/** `npm run docs`: writes the reference from the tables in the code. A test fails when a file is stale. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

// This runs as a bundle in dist/.
for (const [path, textOf] of Object.entries(generatedFiles)) {
  writeFileSync(new URL(`../${path}`, import.meta.url), await textOf());
}
