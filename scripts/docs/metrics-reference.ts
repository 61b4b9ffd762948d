/** The text of src/metrics/METRICS.md, made from the metrics that a server registers. */
import { Registry } from 'prom-client';
import { markdownTable } from '../../src/dashboard/docs/markdown.ts';
import { searchStages } from '../../src/http/search-stages.ts';
import { createMetrics, type MetricsSources } from '../../src/metrics/create-metrics.ts';

const stages = searchStages.map((stage) => `\`${stage}\``).join(', ');

const intro = `# Metrics of a server

Counters count from the start of the process. A metric without a value is left out. Stages of a search: ${stages}. The [README](README.md) explains them.`;

type DescribedMetric = Record<'name' | 'help' | 'type', string> & { labelNames: readonly string[] };

/** The whole file. */
export function metricsReference(): string {
  const rows = describeMetrics().map(({ name, type, labelNames, help }) => [
    ...[`\`${name}\``, type, labelNames.join(', '), help],
  ]);
  return `${intro}\n\n${markdownTable(['metric', 'type', 'labels', 'meaning'], rows)}\n`;
}

function describeMetrics(): DescribedMetric[] {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  // The sources are read when somebody asks for values, which nobody does here.
  metrics.register({} as MetricsSources);
  metrics.close();
  // The types of the library leave out the labels.
  return registry.getMetricsAsArray() as unknown as DescribedMetric[];
}
