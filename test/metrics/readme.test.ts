/** The table of metrics in src/metrics/README.md is what a server exposes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { searchStages } from '../../src/http/search-stages.ts';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { fakeSources } from './fake-sources.ts';

const path = resolve(import.meta.dirname, '../../src/metrics/README.md');
const readme = readFileSync(path, 'utf8');

/** The rows of the table, from the metrics. */
async function expectedRows(): Promise<string[]> {
  const metrics = createMetrics();
  metrics.register(fakeSources);
  metrics.observer.responded({ route: '/x', status: 200, sent: true, milliseconds: 1 });
  metrics.observer.answered('served');
  const { text } = await metrics.read();
  metrics.close();
  return [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)\n((?:(?!#).+\n)*)/gm)].map(
    ([, name = '', help = '', type = '', samples = '']) => {
      const labels = [...samples.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label);
      const names = [...new Set(labels)].filter((label) => label !== 'le');
      return `| \`${name}\` | ${type} | ${names.join(', ')} | ${help} |`.replaceAll(/ {2,}/g, ' ');
    },
  );
}

it('the README lists the metrics with type, labels, and meaning', async () => {
  const rows = readme.split('\n').filter((line) => /^\| `(verbatim|process|nodejs)_/.test(line));
  expect(rows.sort()).toEqual((await expectedRows()).sort());
});

it('the README names every stage of a search', () => {
  for (const stage of searchStages) expect(readme).toContain(`\`${stage}\``);
});
