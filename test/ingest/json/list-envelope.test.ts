import { describe, expect, it } from 'vitest';
import {
  ENVELOPE_CHARACTERS_MAX,
  holdsList,
  listAfter,
} from '../../../src/ingest/json/list-envelope.ts';

describe('the list of an answer', () => {
  it.each([
    ['{"meta": {"count": 2}, "results": [', 'yes'],
    ['{"group_by": [], "meta": {"count": 2}, "results" : [', 'yes'],
    ['{"status": "ok", "message": {"facets": {}, "items": [', 'yes'],
    ['{"request": {"query": "\\"title\\":sand"}, "resultList": {"result": [', 'yes'],
    ['{"total": 1, "data": [', 'yes'],
    ['{"request": {"query": "\\"data\\": ["}, "x": [', 'not_yet'],
    ['{"meta": {}, "ids": [', 'not_yet'],
    ['{"id": "a", "title": "Tides", "data": [', 'no'],
    ['{"DOI": "10.5555/a", "items": [', 'no'],
    [`{"query": "${'a'.repeat(ENVELOPE_CHARACTERS_MAX)}", "items": [`, 'no'],
  ] as const)('after %s: %s', (text, expected) => {
    expect(listAfter(text.slice(0, -1), false)).toBe(expected);
    if (text.length < ENVELOPE_CHARACTERS_MAX) expect(holdsList(text)).toBe(expected === 'yes');
  });

  it('is not within the collections of a Better BibTeX file', () => {
    const start = '{"config": {"id": "a"}, "collections": {"K": {"items": ';
    expect(listAfter(start, true)).toBe('not_yet');
    expect(listAfter(`${start}[1]}}, "items": `, false)).toBe('yes');
    expect(holdsList(`${start}[1]}}, "items": [`)).toBe(true);
  });
});
