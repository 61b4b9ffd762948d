/** Records of sources for tests, of which only the fields that are given matter. */
import type { KeptRecord } from '../../src/identity/kept-record.ts';

export function recordOf(fields: Partial<KeptRecord>): KeptRecord {
  return {
    id: 'a',
    title: '',
    abstract: '',
    year: 0,
    authors: [],
    venue: '',
    source: '',
    part: 'record',
    identifiers: {},
    updatedAt: 0,
    ...fields,
  };
}
