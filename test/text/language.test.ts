import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/text/language.ts';
import { stopWords } from '../../src/text/stop-words.ts';
import { wordsOf } from '../../src/text/words.ts';
import {
  wordsByLanguage,
  wordsInNames,
  wordsOfSeveral,
  wordsThatAsk,
} from '../../src/text/words-of-languages.ts';

const sample = resolve(import.meta.dirname, '../../src/sample');

describe('languageOf', () => {
  it.each([
    ['de', 'Wie wirkt Aspirin?'],
    ['de', 'Die Proben wurden bei 4 °C gelagert und nach drei Tagen gemessen.'],
    ['fr', 'Pourquoi dort-on ?'],
    ['fr', "L'effet de la température dans les plantes"],
    ['es', '¿Cuál es la causa del asma?'],
    ['es', 'Los pacientes con asma fueron tratados durante dos semanas.'],
    ['it', 'Qual è la causa dell’asma?'],
    ['it', 'Gli effetti della temperatura sulla crescita delle piante'],
    ['pt', 'Quais são as causas da asma?'],
    ['pt', 'O efeito da temperatura no crescimento das plantas não foi medido.'],
    ['nl', 'Waarom slapen wij?'],
    ['nl', 'Het effect van de temperatuur op de groei van planten is niet gemeten.'],
    ['zh', '光合作用如何影响产量？'],
    ['zh', '基于Transformer的方法'],
    ['zh', '癌'],
    ['ja', 'データベースとは'],
    ['ja', '酸化チタンの結晶構造'],
    ['ko', '데이터베이스 구조'],
    ['und', 'Что такое жизнь?'],
    ['und', 'ما هو الماء؟'],
    ['und', 'โรคมะเร็งคืออะไร'],
    ['und', 'Η θάλασσα'],
  ])('is %s: %s', (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it.each([
    '',
    '?!',
    '😀 \ud83d',
    '1998',
    'x',
    'El Niño and La Niña',
    'El Niño La Niña teleconnections',
    'Los Angeles air pollution',
    'Die casting of aluminium',
    'Der p 1 allergen',
    'Mar del Plata',
    'Con A lectin',
    'Plus maze',
    'Do mice die in winter?',
    'Asthma bei Kindern',
    'TGF-β in α-synuclein models',
    'The reading of 漢字 by children',
    'Zur Frage der Kinetik: a reading of the work that was done with the data',
  ])('is English unless it is clearly not: %s', (text) => {
    expect(languageOf(text)).toBe('en');
  });

  it('is English for each title and abstract of the sample', () => {
    const papers = readdirSync(sample).flatMap((file) =>
      readFileSync(join(sample, file), 'utf8').trim().split('\n'),
    );
    expect(papers.length).toBeGreaterThan(200);
    for (const paper of papers) {
      const { title, abstract } = JSON.parse(paper) as { title: string; abstract: string };
      for (const text of [title, abstract]) expect(languageOf(text), text).toBe('en');
    }
  });

  it('reads no more than the start of a text', () => {
    const start = 'Wie wirkt die Sonne auf die Haut? ';
    expect(languageOf(start.repeat(20) + 'what is the use of it '.repeat(100_000))).toBe('de');
  });
});

describe('the words of languages', () => {
  it.each(Object.entries(wordsByLanguage))(
    'of %s are no English stop words, and words',
    (_, all) => {
      expect(all.filter((word) => stopWords.has(word))).toEqual([]);
      expect(wordsOf(all.join(' '))).toEqual(all);
      expect(new Set(all).size).toBe(all.length);
    },
  );

  it('are those that names have and that ask', () => {
    const all: ReadonlySet<string> = new Set(Object.values(wordsByLanguage).flat());
    expect([...wordsInNames, ...wordsThatAsk].filter((word) => !all.has(word))).toEqual([]);
    expect([...wordsOfSeveral].filter((word) => !stopWords.has(word))).toEqual([]);
  });
});
