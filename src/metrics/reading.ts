/** The values of all metrics at one time. */
import type { Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

export interface ReadSample {
  name: string;
  labels: Labels;
  value: number;
}

export interface Reading {
  /** The samples of a name with at least these labels. */
  all(name: string, labels?: Labels): ReadSample[];
  /** The sum of those samples; undefined if there are none. */
  sum(name: string, labels?: Labels): number | undefined;
}

/** Reads a registry, with the names and labels of Prometheus' text format. */
export async function readRegistry(registry: Registry): Promise<Reading> {
  const samples: ReadSample[] = [];
  for (const metric of await registry.getMetricsAsJSON()) {
    // The types of the library leave out the names of a histogram's parts.
    for (const sample of metric.values as ((typeof metric.values)[number] & PartOfHistogram)[]) {
      const { metricName: name = metric.name, value } = sample;
      const labels = Object.entries(sample.labels).map(([label, text]) => [label, String(text)]);
      samples.push({ name, labels: Object.fromEntries(labels), value });
    }
  }
  return readingOf(samples);
}

interface PartOfHistogram {
  metricName?: string;
}

export function readingOf(samples: readonly ReadSample[]): Reading {
  const all: Reading['all'] = (name, labels = {}) =>
    samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    all,
    sum(name, labels) {
      const found = all(name, labels);
      if (found.length === 0) return undefined;
      return found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}
