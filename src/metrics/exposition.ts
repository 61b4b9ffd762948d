/**
 * Reads Prometheus' text format, version 0.0.4, as our own server writes it: a sample is a name,
 * labels in braces, and a value.
 */

export type Labels = Readonly<Record<string, string>>;

export interface ExposedSample {
  name: string;
  labels: Labels;
  value: number;
}

/** The samples of one scrape. */
export interface Reading {
  /** The samples of a name with at least these labels. */
  all(name: string, labels?: Labels): ExposedSample[];
  /** The sum of those samples; undefined if there are none. */
  sum(name: string, labels?: Labels): number | undefined;
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' };

/** Lines that are no samples are passed over. */
export function parseExposition(text: string): Reading {
  const byName = new Map<string, ExposedSample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) continue;
    const samples = byName.get(name) ?? [];
    samples.push({ name, labels: parseLabels(labels), value: parseValue(value ?? '') });
    byName.set(name, samples);
  }
  const all: Reading['all'] = (name, labels = {}) =>
    (byName.get(name) ?? []).filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    all,
    sum(name, labels) {
      const samples = all(name, labels);
      if (samples.length === 0) return undefined;
      return samples.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function parseLabels(text: string): Labels {
  return Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (all, character: string) => escapes[character] ?? all),
    ]),
  );
}

function parseValue(text: string): number {
  if (text === '+Inf') return Infinity;
  return text === '-Inf' ? -Infinity : Number(text);
}
