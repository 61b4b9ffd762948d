/** `npm run docs`: writes src/settings/README.md. A test fails when the file is stale. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsReadme } from './settings-readme.ts';

// This runs as a bundle in dist/.
const path = fileURLToPath(new URL('../src/settings/README.md', import.meta.url));
writeFileSync(path, settingsReadme());
