import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { caddyfile } from '../../../src/commands/setup/caddyfile.ts';
import { nginxSite } from '../../../src/commands/setup/nginx-site.ts';

const path = resolve(import.meta.dirname, '../../../src/commands/operation/README.md');
const readme = readFileSync(path, 'utf8');
const options = { domain: 'search.example.org', port: 8080 };

it.each([
  ['caddyfile', caddyfile({ ...options, probePort: 9464 })],
  ['nginx', nginxSite(options)],
])("the operator's page shows the %s that init writes", (language, text) => {
  expect(readme).toContain(`\`\`\`${language}\n${text}\`\`\`\n`);
});
