/** The fields of study of all sources, as our own. */
import { describe, expect, it } from 'vitest';
import { fieldOfStudy } from '../../src/identity/field-of-study.ts';
import { fieldsOfStudy } from '../../src/types.ts';

/** The 26 fields of OpenAlex, and its 19 root concepts, which Semantic Scholar uses with four more. */
const OF_OPENALEX = `Agricultural and Biological Sciences|Arts and Humanities|Biochemistry, Genetics and
  Molecular Biology|Business, Management and Accounting|Chemical Engineering|Chemistry|Computer Science|
  Decision Sciences|Earth and Planetary Sciences|Economics, Econometrics and Finance|Energy|Engineering|
  Environmental Science|Immunology and Microbiology|Materials Science|Mathematics|Medicine|Neuroscience|
  Nursing|Pharmacology, Toxicology and Pharmaceutics|Physics and Astronomy|Psychology|Social Sciences|
  Veterinary|Dentistry|Health Professions`;
const OF_SEMANTIC_SCHOLAR = `Computer Science|Medicine|Chemistry|Biology|Materials Science|Physics|Geology|
  Psychology|Art|History|Geography|Sociology|Business|Political Science|Economics|Philosophy|Mathematics|
  Engineering|Environmental Science|Agricultural and Food Sciences|Education|Law|Linguistics`;

describe('a field of study', () => {
  it.each([
    ['OpenAlex', OF_OPENALEX, 26],
    ['Semantic Scholar', OF_SEMANTIC_SCHOLAR, 23],
  ])('is known for each field of %s', (_, names, count) => {
    const fields = names.split('|').map((name) => fieldOfStudy(name));
    expect(fields).not.toContain(undefined);
    expect(new Set(fields).size).toBe(count);
  });

  it('keeps its own name', () => {
    expect(fieldsOfStudy.map(fieldOfStudy)).toEqual(fieldsOfStudy);
  });

  it.each([
    ['Physics & Astronomy', 'Physics'],
    [' PHYSICS   and astronomy.', 'Physics'],
    ['sand', undefined],
    ['deep learning', undefined],
    ['Medicine and law', undefined],
    ['', undefined],
  ])('of %j is %j', (name, field) => {
    expect(fieldOfStudy(name)).toBe(field);
  });
});
