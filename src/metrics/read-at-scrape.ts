/** Metrics whose values exist already and are read when somebody asks for them. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface MetricDescription {
  name: string;
  /** One phrase that says what is measured. METRICS.md has the same text. */
  help: string;
  labelNames?: readonly string[];
  /** Reads the values. If it throws, the metric has no values in this scrape. */
  read: () => readonly Sample[] | number | Promise<readonly Sample[] | number>;
}

/** Registers a metric whose values may rise and fall. */
export function gaugeAtScrape(registry: Registry, description: MetricDescription): void {
  const gauge: Gauge = new Gauge({
    ...namesOf(registry, description),
    collect: () => collect(description, gauge, (labels, value) => gauge.set(labels, value)),
  });
}

/** Registers a metric whose values only rise until the process ends. */
export function counterAtScrape(registry: Registry, description: MetricDescription): void {
  const counter: Counter = new Counter({
    ...namesOf(registry, description),
    collect: () => collect(description, counter, (labels, value) => counter.inc(labels, value)),
  });
}

function namesOf(registry: Registry, { name, help, labelNames = [] }: MetricDescription) {
  return { name, help, labelNames: [...labelNames], registers: [registry] };
}

async function collect(
  { read, labelNames = [] }: MetricDescription,
  metric: { remove: (labels: Record<string, string>) => void; reset: () => void },
  put: (labels: Record<string, string>, value: number) => void,
): Promise<void> {
  let values: readonly Sample[] | number;
  try {
    values = await read();
  } catch {
    // A database that cannot be read must not hide the metrics that say so.
    values = [];
  }
  // Nothing is awaited from here on, so scrapes at the same time do not mix.
  metric.reset();
  // A reset sets a metric without labels to 0.
  if (labelNames.length === 0) metric.remove({});
  if (typeof values === 'number') put({}, values);
  else for (const { labels = {}, value } of values) put({ ...labels }, value);
}
