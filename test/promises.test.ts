/** What .github/PROMISES.md promises for all 1.x: what promised.json lists stays. It may grow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOpenApi } from '../src/dashboard/docs/openapi.ts';
import { errorTable } from '../src/errors.ts';
import { unknownVariables } from '../src/settings/config.ts';

interface Promised {
  fields: string[];
  errors: string[];
  settings: string[];
}

const path = join(import.meta.dirname, 'fixtures/promised.json');
const promised: Promised = JSON.parse(readFileSync(path, 'utf8'));

/** The names of all fields and parameters, after the path or the schema that has them. */
function fieldsOf(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, place));
  if (typeof value !== 'object' || value === null) return [];
  const { properties, name, in: where } = value as Record<string, unknown>;
  const own = properties !== null && typeof properties === 'object' ? Object.keys(properties) : [];
  const parameter = typeof where === 'string' ? [`${place} ${where} ${name}`] : [];
  const inside = Object.values(value).flatMap((one) => fieldsOf(one, place));
  return [...own.map((field) => `${place} ${field}`), ...parameter, ...inside];
}

it('keeps the fields of the API', () => {
  const { paths, components } = createOpenApi('http://localhost', '1.0.0');
  const places = { ...paths, ...components.schemas };
  const now = new Set(Object.entries(places).flatMap(([place, one]) => fieldsOf(one, place)));
  expect(promised.fields.length).toBeGreaterThan(100);
  expect(promised.fields.filter((field) => !now.has(field))).toEqual([]);
});

it('keeps the codes of errors with their statuses', () => {
  const now = Object.entries(errorTable).map(([code, error]) =>
    `${code} ${'status' in error ? error.status : ''}`.trim(),
  );
  expect(promised.errors.length).toBeGreaterThan(20);
  expect(promised.errors.filter((error) => !now.includes(error))).toEqual([]);
});

it('knows every setting, or warns of it', () => {
  expect(promised.settings.length).toBeGreaterThan(50);
  const set = Object.fromEntries(promised.settings.map((variable) => [variable, '1']));
  expect(unknownVariables(set)).toEqual([]);
});
