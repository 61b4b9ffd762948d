/** The files in scripts/monitoring ask for metrics and labels that a server has. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { fakeSources } from '../metrics/fake-sources.ts';

const folder = resolve(import.meta.dirname, '../../scripts/monitoring');
const read = (file: string): string => readFileSync(resolve(folder, file), 'utf8');

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const charts = panels.filter(({ type }) => type !== 'row');
const alerts = read('alerts.yml');

let text: string;
beforeAll(async () => {
  const metrics = createMetrics();
  metrics.register(fakeSources);
  metrics.observer.responded({ route: '/x', status: 200, sent: true, milliseconds: 1 });
  metrics.observer.answered('served');
  ({ text } = await metrics.read());
  metrics.close();
});

/** The series that a query names, such as a bucket of a histogram. */
function seriesIn(expression: string): string[] {
  return expression.match(/\b(?:verbatim|process|nodejs)_[a-z_]+/g) ?? [];
}

/** Fails for series without a sample, and for labels that no series has. */
function expectToExist(expression: string): void {
  const series = seriesIn(expression);
  expect(series, expression).not.toEqual([]);
  for (const name of series) {
    // Of a gauge without a value there is only the type.
    const isKnown = new RegExp(`^(?:# TYPE ${name} gauge$|${name}[ {])`, 'm').test(text);
    expect(isKnown, `${name} in ${expression}`).toBe(true);
  }
  const grouped = [...expression.matchAll(/by \(([^)]+)\)/g)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  const matched = [...expression.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label);
  // Prometheus adds these two.
  const labels = [...grouped, ...matched].filter((label) => !['instance', 'job'].includes(label));
  for (const label of labels) expect(text, expression).toMatch(new RegExp(`[{,]${label}="`));
}

describe('the dashboard', () => {
  it.each(charts)('shows what exists: $title', ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) expectToExist(expr);
  });

  it('shows every metric but the versions', () => {
    const shown = charts.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => seriesIn(expr)),
    );
    const names = [...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name = '']) => name);
    const hidden = names.filter((name) => !shown.some((series) => series.startsWith(name)));
    expect(hidden).toEqual(['verbatim_build_info', 'process_start_time_seconds']);
  });

  it('has panels that do not overlap', () => {
    const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

describe('the alerts', () => {
  const rules = alerts.split('\n      - alert: ').slice(1);

  it.each(rules.map((rule) => [rule.split('\n')[0] ?? '', rule]))(
    'ask for what exists, and say what to do: %s',
    (name, rule) => {
      const [, expression = ''] = /expr:\s+([\s\S]*?)\n {8}\w/.exec(rule) ?? [];
      if (name === 'VerbatimDown') expect(expression).toBe('up{job="verbatim"} == 0');
      else expectToExist(expression);
      for (const field of ['severity:', 'summary:', 'description:']) expect(rule).toContain(field);
    },
  );

  it('are of the job that the scrape configuration has', () => {
    expect(read('prometheus.yml')).toContain('job_name: verbatim\n');
    expect(read('prometheus.yml')).toContain('- alerts.yml\n');
  });
});
