/** Identifiers: whatever is written, the normal form is stable and leads back to itself. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  documentIdOf,
  identifiersInId,
  identifiersOf,
  normalizeDoi,
  type Scheme,
  schemes,
  type WrittenIdentifiers,
} from '../../../src/identity/identifiers.ts';
import type { Identifiers } from '../../../src/types.ts';
import type { FuzzTarget } from '../run-target.ts';
import { strangeText } from './strange-text.ts';

const WRITTEN = [
  ...['10.1000/182', 'https://doi.org/10.1000/ABC(1)', 'doi:10.5555/%3C1%3E', 'hep-ex/0307015'],
  ...['10.48550/arXiv.2401.00001v2', 'arXiv:2401.00001v3', 'https://arxiv.org/abs/2401.00001'],
  ...['pmid:123', 'PMC0012', 'https://openalex.org/W42', 'P19-1001', '2024.acl-long.1'],
  ...['CorpusID:9', '0', '-1'],
];

const disturbed = fc
  .tuple(fc.constantFrom(...WRITTEN), fc.nat(30), strangeText)
  .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at));

const spelling: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WRITTEN) },
  { weight: 3, arbitrary: disturbed },
  { weight: 1, arbitrary: strangeText },
  { weight: 1, arbitrary: fc.jsonValue() },
);

export const ids: FuzzTarget = {
  name: 'ids',
  description: 'identifiers of papers, as sources write them',
  share: 0.31,
  async open() {
    const scheme = fc.constantFrom(...schemes);
    const property = fc.property(
      fc.array(fc.tuple(scheme, spelling), { maxLength: 4 }),
      (pairs) => {
        const written = Object.fromEntries(pairs) as WrittenIdentifiers;
        const known = identifiersOf(written);
        for (const text of Object.values(known)) {
          assert.equal(typeof text, 'string');
          assert.notEqual(text.trim(), '');
        }
        assert.deepEqual(identifiersOf(known), known, 'the normal form is not stable');
        if (known.doi !== undefined) assert.equal(normalizeDoi(known.doi), known.doi);
        if (Object.keys(known).length === 0) return;
        checkId(known, written);
      },
    );
    return { property };
  },
};

/** The id leads back to the identifier that it was made of, and to nothing that the record lacks. */
function checkId(known: Identifiers, written: WrittenIdentifiers): void {
  const id = documentIdOf(known);
  const first = schemes.find((scheme) => known[scheme] !== undefined) as Scheme;
  const inId = identifiersInId(id);
  assert.deepEqual(inId, identifiersOf({ [first]: known[first] }), `${id} names another paper`);
  for (const [name, text] of Object.entries(inId) as [Scheme, string][]) {
    if (known[name] === text) continue;
    // A record may contradict itself: the DOI of one arXiv paper beside the number of another. It
    // keeps both as written, so the id names a number that the record overrules.
    const own = identifiersOf({ [name]: written[name] })[name];
    assert.ok(name !== first && own === known[name], `${id} names another ${name}: ${text}`);
  }
}
