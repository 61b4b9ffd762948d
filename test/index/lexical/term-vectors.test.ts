import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countInAbstract,
  countInTitle,
  decodeTermVector,
  encodeTermVector,
  expectedTermVector,
  findTerm,
  maskBit,
  sentenceMask,
  type TermVector,
  termAt,
} from '../../../src/index/lexical/term-vectors.ts';
import { termOf, termsOf, termsOfWordBefore } from '../../../src/text/terms.ts';
import type { SentenceSpan } from '../../../src/types.ts';

const WORDS = ['star', 'planet', 'tide', 'il6', 'moon', 'shore'];
const LINE = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' '));
const ANY_TEXT = fc.tuple(LINE, fc.array(LINE, { maxLength: 40 }));

describe('encodeTermVector', () => {
  it('counts terms as a scan of the text does, with any number of sentences', () => {
    fc.assert(
      fc.property(ANY_TEXT, fc.nat(5), ([title, sentences], offset) => {
        const blob = encoded(title, sentences);
        const moved = Buffer.concat([Buffer.alloc(offset), blob]).subarray(offset);
        const vector = decodeTermVector(moved);
        const all = [title, ...sentences].flatMap((text) => termsOf(text));
        expect(vector.length).toBe(all.length);
        const entries = entriesOf(vector);
        expect(entries.map(({ term }) => term)).toEqual([...new Set(all)].sort((a, b) => a - b));
        for (const [index, entry] of entries.entries()) {
          const times = (text: string): number =>
            termsOf(text).filter((term) => term === entry.term).length;
          expect(entry.inTitle).toBe(times(title));
          expect(entry.inAbstract).toBe(sentences.reduce((sum, text) => sum + times(text), 0));
          for (const [sentence, text] of sentences.slice(0, 31).entries()) {
            expect((entry.mask >>> maskBit(sentence)) & 1).toBe(times(text) > 0 ? 1 : 0);
          }
          const isInRest = sentences.slice(31).some((text) => times(text) > 0);
          expect(entry.mask >>> 31).toBe(isInRest ? 1 : 0);
          expect(findTerm(vector, entry.term)).toBe(index);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does not find a term that the text does not contain', () => {
    const vector = decodeTermVector(encoded('star planet', ['tide']));
    for (const term of [termOf('moon'), 0, 2 ** 32 - 1]) {
      expect(findTerm(vector, term)).toBe(-1);
    }
    expect(findTerm(decodeTermVector(encoded('', [])), termOf('moon'))).toBe(-1);
  });

  it('caps counts at 255 but not the length', () => {
    const vector = decodeTermVector(encoded('star '.repeat(300), ['star '.repeat(256)]));
    expect(vector.length).toBe(556);
    expect(entriesOf(vector)).toEqual([
      { term: termOf('star'), inTitle: 255, inAbstract: 255, mask: 1 },
    ]);
  });

  it.each([
    [0, 1],
    [8, 1],
    [9, 2],
    [16, 2],
    [17, 4],
    [90, 4],
  ])('uses masks for %i sentences of %i bytes', (sentences, bytes) => {
    const blob = encoded('star', Array(sentences).fill('star'));
    expect(blob).toHaveLength(9 + 6 + bytes);
    expect(blob.readUInt8(8)).toBe(bytes);
  });

  it('leaves out text that is in no sentence', () => {
    const blob = encodeTermVector('', 'star moon', [{ start: 0, end: 4 }]);
    expect(entriesOf(decodeTermVector(blob)).map(({ term }) => term)).toEqual([termOf('star')]);
  });
});

/** All entries of a term vector. */
function entriesOf(vector: TermVector) {
  return Array.from({ length: vector.size }, (_, at) => ({
    term: termAt(vector, at),
    inTitle: countInTitle(vector, at),
    inAbstract: countInAbstract(vector, at),
    mask: sentenceMask(vector, at),
  }));
}

/** An abstract with these sentences. */
function encoded(title: string, sentences: readonly string[]): Buffer {
  let start = 0;
  const spans: SentenceSpan[] = sentences.map((sentence) => {
    const span = { start, end: start + sentence.length };
    start = span.end + 1;
    return span;
  });
  return encodeTermVector(title, sentences.join('\n'), spans);
}

describe('expectedTermVector', () => {
  const german = { title: 'Die Analyse der Proben', abstract: 'Sie wurde nicht von uns gemacht.' };
  const chinese = { title: '土壤含碳量', abstract: '' };

  it.each([german, chinese])('accepts what version 0.2.0 stored, and nothing else: %j', (text) => {
    const spans = [{ start: 0, end: text.abstract.length }];
    const now = encodeTermVector(text.title, text.abstract, spans);
    const before = encodeTermVector(text.title, text.abstract, spans, termsOfWordBefore);
    expect(before.equals(now)).toBe(false);
    expect(expectedTermVector(text, spans, before)).toEqual(before);
    expect(expectedTermVector(text, spans, now)).toEqual(now);
    for (const other of [undefined, now.subarray(1)]) {
      expect(expectedTermVector(text, spans, other)).toEqual(now);
    }
  });
});
