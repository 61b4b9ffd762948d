/**
 * Reads Prometheus' text format, version 0.0.4, as our own server writes it: a sample is a name,
 * labels in braces, and a value.
 */

import {
  type Labels,
  type Reading,
  type ReadSample,
  readingOf,
} from '../../src/metrics/reading.ts';

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Readonly<Record<string, string>> = { n: '\n', '"': '"', '\\': '\\' };

/** Lines that are no samples are passed over. */
export function parseExposition(text: string): Reading {
  const samples: ReadSample[] = [];
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === undefined) continue;
    samples.push({ name, labels: parseLabels(labels), value: parseValue(value) });
  }
  return readingOf(samples);
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
