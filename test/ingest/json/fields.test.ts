import { describe, expect, it } from 'vitest';
import {
  FieldError,
  readId,
  readNames,
  readText,
  readTime,
  readYear,
} from '../../../src/ingest/json/fields.ts';

type Reader = (record: Record<string, unknown>, field: string) => unknown;

/** The field's value in JSON (undefined: the field is absent), what is read. */
type Good = [json: string | undefined, read: unknown];
/** The field's value in JSON, what is said of it. */
type Bad = [json: string, message: string];

describe('readText', () => {
  const good: Good[] = [
    [undefined, ''],
    ['null', ''],
    ['""', ''],
    ['" kept as it is \\n"', ' kept as it is \n'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"a\\ud83db\\ude00"', 'a\ufffdb\ufffd'],
    ['"a\\u0000b"', 'a\ufffdb'],
    ['"\\u0007"', '\u0007'],
  ];
  const bad: Bad[] = [
    ['5', '"field" must be a string, not a number'],
    ['1e400', '"field" must be a string, not a number'],
    ['true', '"field" must be a string, not a boolean'],
    ['["a"]', '"field" must be a string, not an array'],
    ['[[["a"]]]', '"field" must be a string, not an array'],
    ['{"a": 1}', '"field" must be a string, not a object'],
  ];
  check(readText, { good, bad });
});

describe('readId', () => {
  const good: Good[] = [
    [undefined, ''],
    ['null', ''],
    ['" 10.5555/a "', '10.5555/a'],
    ['0', '0'],
    ['4983', '4983'],
    ['9007199254740991', '9007199254740991'],
  ];
  const bad: Bad[] = [
    ['[1]', '"field" must be a string, not an array'],
    ['false', '"field" must be a string, not a boolean'],
    // What JSON rounds, two different ids would share.
    ['12345678901234567890', '"field" must be'],
    ['1e400', '"field" must be'],
    ['0.5', '"field" must be'],
  ];
  check(readId, { good, bad });
});

describe('readYear', () => {
  const good: Good[] = [
    [undefined, 0],
    ['null', 0],
    ['""', 0],
    ['0', 0],
    ['1998', 1998],
    ['9999', 9999],
    ['"1998"', 1998],
    ['2e3', 2000],
  ];
  const bad: Bad[] = [
    ['-1', '"field" must be a year, not -1'],
    ['10000', '"field" must be a year, not 10000'],
    ['1998.5', '"field" must be a year, not 1998.5'],
    ['1e400', '"field" must be a year'],
    ['"1998-05"', '"field" must be a year, not "1998-05"'],
    ['" 1998"', '"field" must be a year, not " 1998"'],
    ['[1998]', '"field" must be a year, not [1998]'],
    ['true', '"field" must be a year, not true'],
    [`"${'9'.repeat(1000)}"`, `"field" must be a year, not "${'9'.repeat(39)}`],
  ];
  check(readYear, { good, bad });
});

describe('readNames', () => {
  const good: Good[] = [
    [undefined, []],
    ['null', []],
    ['[]', []],
    ['["A. Berg", " B. Dahl "]', ['A. Berg', 'B. Dahl']],
    ['[{"name": "A. Berg", "orcid": 7}, "B. Dahl"]', ['A. Berg', 'B. Dahl']],
    ['["", " ", "A. Berg"]', ['A. Berg']],
    ['["A\\u0000\\ud800"]', ['A\ufffd\ufffd']],
  ];
  const bad: Bad[] = [
    ['"A. Berg"', '"field" must be an array of names, not a string'],
    ['{"name": "A. Berg"}', '"field" must be an array of names, not a object'],
    ['["A. Berg", 5]', '"field" must be an array of names, not of a number'],
    ['[null]', '"field" must be an array of names, not of null'],
    ['[["A. Berg"]]', '"field" must be an array of names, not of an array'],
    ['[{"name": 5}]', '"field" must be an array of names, not of a object'],
  ];
  check(readNames, { good, bad });
});

describe('readTime', () => {
  const good: Good[] = [
    [undefined, 0],
    ['null', 0],
    ['""', 0],
    ['0', 0],
    ['1714521600000', 1714521600000],
    ['"2024-05-01"', Date.UTC(2024, 4, 1)],
    ['"2024-05-01T00:00:00.007Z"', Date.UTC(2024, 4, 1) + 7],
    ['-1', -1],
  ];
  const bad: Bad[] = [
    ['"soon"', '"field" must be a date, not "soon"'],
    ['0.5', '"field" must be a date, not 0.5'],
    ['1e300', '"field" must be a date, not 1e+300'],
    ['[1]', '"field" must be a date, not [1]'],
    [`"${'9'.repeat(1000)}"`, `"field" must be a date, not "${'9'.repeat(39)}`],
  ];
  check(readTime, { good, bad });
});

function check(reader: Reader, { good, bad }: { good: Good[]; bad: Bad[] }): void {
  it.each(good)('reads %s as %j', (json, read) => {
    expect(reader(record(json), 'field')).toEqual(read);
  });
  it.each(bad)('refuses %s: %s', (json, message) => {
    const act = (): unknown => reader(record(json), 'field');
    expect(act).toThrow(FieldError);
    expect(act).toThrow(message);
  });
}

function record(json: string | undefined): Record<string, unknown> {
  return json === undefined ? {} : JSON.parse(`{"field": ${json}}`);
}
