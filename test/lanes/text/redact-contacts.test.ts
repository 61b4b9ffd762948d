import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactContacts } from '../../../src/lanes/text/redact-contacts.ts';

describe('redactContacts removes', () => {
  it.each([
    'ada@example.org',
    'Ada.Lovelace+papers@mail.example.co.uk',
    "o'brien_7%x@sub-domain.example.museum",
    'mailto:ada@example.org',
    'jürgen@müller.de',
    'ada@xn--mller-kva.example',
    'ada＠example.org',
    '+1 555 123 4567',
    '+1 (555) 123-4567',
    '+1-555-123-4567',
    '+15551234567',
    '+44 20 7946 0958',
    '+49 (0)30 123456',
    '+49 30/1234567',
    '+33 6 12 34 56 78',
    '+86 138 0013 8000',
    '+49‑30‑1234567',
    '0049 30 1234567',
    '0044 (20) 7946 0958',
    '(555) 123-4567',
    '(555)223-4567',
    '555-223-4567',
    '555.223.4567',
    '1-800-555-0199',
    '1 800-555-0199',
    '030/1234567',
    '030 1234567',
    '(030) 1234567',
    '020 7946 0958',
    '0171-1234567',
    '07700 900123',
    '06 12 34 56 78',
    '06.12.34.56.78',
    'tel. 1234567',
    'tel:+49 30 123456',
    'Tel: 030 1234567',
    'phone: 12 34 56',
    'phone number 5551234567',
    'fax no. 123-4567',
    'WhatsApp: 0170 1234567',
  ])('%s', (contact) => {
    const asked = redactContacts(`does sleep (${contact}) help memory, ${contact}`);
    expect(asked.replace(/[()\s]+/g, ' ')).toBe('does sleep help memory,');
    expect(redactContacts(contact).replace(/[()]/g, '')).toBe('');
  });

  it('a contact anywhere, without the text around it', () => {
    const question = 'My father (mail bo@example.org, +46 8 123 456 78) has Crohn’s: what helps?';
    expect(redactContacts(question)).toBe('My father (mail , ) has Crohn’s: what helps?');
  });
});

describe('redactContacts keeps', () => {
  it.each([
    // CAS numbers.
    ...['caffeine 58-08-2', 'CAS 7732-18-5', 'CAS number 50-78-2', 'water 7732-18-5 and 64-17-5'],
    ...['aspartame 22839-47-0', '1000413-72-8', 'CAS RN: 0064-17-5'],
    // Years, dates, and other ranges.
    ...['1990-2000', '1990–2000', '1990 - 2000', '2019-03', '2020-01-15', '15.01.2020'],
    ...['1914-1918 and 1939-1945', '2019/2020', 'years 1987 1988 1989', 'phone: 1990-2000'],
    ...['mobile phone 2007-2015', 'pages 123-4567', '1000-2000 mg', '12:30-14:00', '0.05-0.10'],
    // Identifiers.
    ...['10.1000/555-223-4567', 'doi:10.1016/s0140-6736(05)67889-5', '10.1038/030-1234567'],
    ...['https://doi.org/10.5555/020.7946.0958', 'PMID 12345678', 'PMID: 030 1234567'],
    ...['PMC1234567', 'arXiv:2401.00001v2', '2401.00001', 'hep-ex/0307015', '0704.0001'],
    ...['ISBN 978-0-306-40615-7', '978-0-306-40615-7', '9780306406157', 'ISBN 0-306-40615-2'],
    ...['ISBN-13: 978 0 306 40615 7', 'ISBN 0471958697', 'ISBN 0471-958697', 'ISSN 0378-5955'],
    ...['0378-5955', '1234-567X', '0000-0002-1825-0097', 'ORCID 0000-0002-1825-0097'],
    ...['NCT01234567', 'NCT 01234567', 'EC 1.1.1.1', 'W2741809807', 'CorpusId:19170988'],
    ...[
      'GSE12345',
      'rs12345678',
      'ENSG00000139618',
      'ISO 9001-2015',
      'GO:0008150',
      'chr7:55,249,071',
    ],
    ...['P01308', '1ABC', 'clinical trial 2004-000446-20', 'Q9Y6K9-1'],
    // Quantities and terms.
    ...['20 000 000 people', '1,000,000', '3.14159265', '6.022e23', '+20 000 cells', 'CD4+ 350'],
    ...['p < 0.001', 'Na+ 140 mM', 'pH 7.4', '+3.5 kcal', '5 000 000 +- 20 000', '100 200 300 400'],
    ...['H2O2', 'IL-6', 'SARS-CoV-2', 'COVID-19', 'TNF-alpha', '5-HT2A', '1-800 nm', '-20'],
    ...[
      'telomerase 1 2 3',
      'cell number 12',
      'phone use and sleep',
      '24/7',
      '2/3',
      '12-24-36 months',
    ],
    // Signs outside of addresses.
    ...[
      'nDCG@10',
      'recall@k',
      'P@5',
      'Co@C',
      'Fe3O4@SiO2',
      'Au@Pd core',
      '@misc',
      'user@localhost',
    ],
    ...['a @ b.c', 'meet @ noon', 'P@1.5'],
  ])('%s', (text) => {
    expect(redactContacts(`what is known of ${text}`)).toBe(`what is known of ${text}`);
    expect(redactContacts(text)).toBe(text);
  });

  it('any text without signs and digits', () => {
    const words = fc.array(fc.stringMatching(/^[a-zäøé]{1,12}[,.?]?$/u), { maxLength: 20 });
    fc.assert(
      fc.property(words, (list) => {
        expect(redactContacts(list.join(' '))).toBe(list.join(' '));
      }),
    );
  });
});

// A pattern that is not linear would exceed the time limit of the test.
it('reads the longest question, whatever it is made of', () => {
  const deps = ['a', '1', '0', '+1', ' ', '-', '(', ')', '.', '@', 'tel:', 'a@', '1.', '+'];
  for (const part of deps) {
    const question = part.repeat(Math.ceil(2_048 / part.length));
    expect(redactContacts(question).length).toBeLessThanOrEqual(question.length);
  }
});
