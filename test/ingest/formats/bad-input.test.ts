/** What every format must stand, whichever it is. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VerbatimError } from '../../../src/errors.ts';
import { formatNamed, formats } from '../../../src/ingest/formats.ts';
import type { Entry, Format } from '../../../src/ingest/read/packed-format.ts';
import { openSource } from '../../../src/ingest/read/source.ts';
import { NOT_UTF8 } from '../../../src/ingest/read/utf8.ts';
import { jsonLines, scratchFolder, writeFiles } from '../index-files.ts';
import { entriesOf, fixture, LIMITS } from '../read-format.ts';

/** A good record of each format of JSON records. */
const records: Record<string, Record<string, unknown>> = {
  openalex: first('openalex.jsonl'),
  arxiv: first('arxiv.jsonl'),
  crossref: first('crossref.jsonl'),
  's2-papers': first('s2-papers.jsonl'),
  's2-abstracts': first('s2-abstracts.jsonl'),
  s2orc: first('s2orc.jsonl'),
  's2orc-metadata': first('s2orc-metadata.jsonl'),
  europepmc: JSON.parse(fixture('europepmc.json').toString()).resultList.result[0],
  datacite: first('datacite.jsonl'),
  doaj: JSON.parse(fixture('doaj.json').toString())[0],
  's2-api': JSON.parse(fixture('s2-api.json').toString()).data[0],
  beir: { _id: '1', title: 'Tides', text: 'It rose.', metadata: { year: 2001, authors: [] } },
  'csl-json': JSON.parse(fixture('csl.json').toString())[0],
  'zotero-json': JSON.parse(fixture('zotero.json').toString()).items[0],
  verbatim: {
    id: 'a',
    title: 'Tides',
    abstract: 'It rose.',
    year: 2001,
    authors: ['A. Berg'],
    venue: '',
    identifiers: { pmid: '1' },
    withheld: 'retracted',
    updated: '2024-05-01',
  },
};
const jsonFormats = Object.entries(records).map(
  ([name, record]) => [name, formatNamed(name), record] as const,
);

describe.each(formats)('the format $name', (format) => {
  it('finds nothing in an empty file', async () => {
    for (const content of ['', '\n \r\n', '\ufeff']) {
      // To some formats it is an empty list, to others no file of theirs.
      const entries = await entriesOf(format, content).catch((error: VerbatimError) => {
        expect(error.code).toBe('unreadable_input');
        return [];
      });
      expect(entries.filter((entry) => !('problem' in entry))).toEqual([]);
    }
  });

  it('throws only unreadable_input for random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        try {
          for (const entry of await entriesOf(format, Buffer.from(bytes))) expectEntry(entry);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unreadable_input' });
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe.each(jsonFormats)('the format %s', (name, format, record) => {
  it('does not throw for any value in any of its fields', async () => {
    const paths = pathsOf(record);
    expect(paths.length).toBeGreaterThan(3);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('[', '{}', 1e300, -1));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), value, async (path, other) => {
        const content = jsonLines([withValue(record, path, other), record]);
        const entries = await entriesOf(format, content);
        for (const entry of entries) expectEntry(entry);
        // The record behind it is read whatever came before.
        expect(entries.at(-1)).toMatchObject({ line: 2 });
        expect(entries.at(-1)).not.toHaveProperty('problem');
      }),
      { numRuns: 300 },
    );
  });

  it('reports deep nesting in any of its fields', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const field of Object.keys(record)) {
      const text = JSON.stringify({ ...record, [field]: '@' }).replace('"@"', deep);
      const entries = await entriesOf(format, text, { lineBytesMax: 200_000 });
      const problem = 'nested deeper than 100 levels';
      expect(entries).toEqual([{ line: 1, problem, reason: 'malformed' }]);
    }
  });

  it('reports Latin-1 with its line', async () => {
    const good = JSON.stringify(record);
    const content = Buffer.from(`{"caf\xe9": 1}\n${good.replaceAll(/[^ -~]/g, '?')}\n`, 'latin1');
    const entries = await entriesOf(format, content);
    expect(entries[0]).toEqual({
      line: 1,
      problem: `the line ${NOT_UTF8}`,
      reason: 'malformed',
    });
    expect(entries[1]?.line).toBe(2);
  });

  it('returns every record with the same id, in order', async () => {
    const entries = await entriesOf(format, jsonLines([record, record, record]));
    expect(entries.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect({ ...entries[2], line: 1 }).toEqual(entries[0]);
  });

  it('reads the intact part of a truncated archive and then reports it', async () => {
    const lines = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({ ...record, extra: n * 7919 }),
    );
    const whole = gzipSync(lines.join('\n'));
    const [path = ''] = await writeFiles(await scratchFolder(), {
      file: whole.subarray(0, Math.floor(whole.length / 2)),
    });
    const { entries, failure } = await readFile(format, path);
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.every((entry) => !('problem' in entry))).toBe(true);
    expect(String(failure)).toContain(`${path} breaks off: unexpected end of file`);
    expect(name).toBe(format.name);
  });
});

async function readFile(format: Format, path: string) {
  const entries: Entry[] = [];
  try {
    const source = await openSource(path);
    for await (const entry of format.entries(source, LIMITS)) entries.push(entry);
  } catch (failure) {
    return { entries, failure };
  }
  return { entries, failure: undefined };
}

/** That it is one of the kinds, and whole. */
function expectEntry(entry: Entry): void {
  expect(entry.line).toBeGreaterThan(0);
  if ('problem' in entry) {
    expect(entry.problem.length).toBeLessThan(300);
    expect(entry.problem).not.toBe('');
  } else if ('document' in entry) {
    const { id, title, abstract, year, authors, venue, updatedAt } = entry.document;
    for (const text of [id, title, abstract, venue, ...authors]) expect(text).toBeTypeOf('string');
    for (const text of [title, abstract]) expect(text.isWellFormed()).toBe(true);
    for (const number of [year, updatedAt]) expect(Number.isInteger(number)).toBe(true);
  } else if ('supplement' in entry) {
    expect(entry.supplement.abstract).toBeTypeOf('string');
  }
}

function first(name: string): Record<string, unknown> {
  return JSON.parse(fixture(name).toString().split('\n', 1)[0] as string);
}

type Path = readonly string[];

/** Where there are values in a record: its fields, and those of the objects and arrays in it. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** A copy of a record with another value at one place. */
function withValue(record: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = structuredClone(record) as Record<string, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
