import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutStopStructures } from '../../src/text/stop-structures.ts';

describe('withoutStopStructures', () => {
  it.each([
    ['I would be interested to receive information on slip flow.', 'slip flow.'],
    ['I am interested in narrow pulses', 'narrow pulses'],
    ['i’m looking for recent papers about sleep', 'sleep'],
    ['We need data on tides in narrow bays', 'tides in narrow bays'],
    ['I want to know whether sleep helps memory', 'sleep helps memory'],
    ['Dear librarian, I am trying to find documents on sleep.', 'sleep.'],
    ['Hello! Could you please give me articles about rectifiers?', 'rectifiers?'],
    ['please send everything that you have on lightning', 'lightning'],
    ['Please supply information pertinent to magnetic films, thank you.', 'magnetic films'],
    ['tell me more about tides please', 'tides'],
    ['What is known about tides?', 'tides?'],
    ['is there any research on how bees navigate', 'how bees navigate'],
    ['Papers dealing with shock waves', 'shock waves'],
    ['Please explain why tides occur.', 'why tides occur.'],
    ['PLEASE\n FIND   me LITERATURE\ton coral', 'coral'],
    ['What causes coral bleaching, please?', 'What causes coral bleaching'],
  ])('turns "%s" into "%s"', (text, expected) => {
    expect(withoutStopStructures(text)).toBe(expected);
  });

  it.each([
    'What is information science?',
    'information retrieval systems',
    'Data assimilation in ocean models',
    'work function of tungsten',
    'research misconduct',
    'I-beams in bridges',
    'I kappa B kinase in T cells',
    'we-intentions on joint action',
    'How do references to self change with age?',
    'pleased customers',
    'find-me signals of dying cells on phagocytes',
    'can you',
    'please',
    'I would like information on',
    '',
    '???',
  ])('leaves "%s" as it is', (text) => {
    expect(withoutStopStructures(text)).toBe(text);
  });

  it('returns a part of the text, which is not empty unless the text is', () => {
    const word = fc.constantFrom(
      ...[
        'please',
        'I',
        'would',
        'like',
        'to',
        'find',
        'me',
        'any',
        'papers',
        'on',
        'about',
        'dear',
      ],
      ...[
        'hello',
        ',',
        'what',
        'is',
        'known',
        'thank',
        'you',
        'thanks',
        '?',
        '.',
        'sleep',
        ' ',
        '’m',
      ],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const text = words.join(' ');
        const rest = withoutStopStructures(text);
        expect(text).toContain(rest);
        if (text.trim() !== '') expect(rest.trim()).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });
});
