/** Variants of a true reference: harmless ones, such as every style makes, and those with a mistake. */
import { type BenchmarkEntry, namesIn } from './entries.ts';

/** A variant; undefined if the reference has nothing to vary. */
type Vary = (fields: Record<string, string>, at: number) => Record<string, string> | undefined;

const ABBREVIATED: Readonly<Record<string, string>> = {
  NeurIPS: 'Adv. Neural Inf. Process. Syst.',
  ICML: 'Proc. 38th Int. Conf. Mach. Learn.',
  ICLR: 'Int. Conf. Learn. Represent.',
  CVPR: 'Proc. IEEE/CVF Conf. Comput. Vis. Pattern Recognit.',
  AAAI: 'Proc. AAAI Conf. Artif. Intell.',
  ACL: 'Proc. Annu. Meet. Assoc. Comput. Linguist.',
  EMNLP: 'Proc. Conf. Empir. Methods Nat. Lang. Process.',
  AISTATS: 'Int. Conf. Artif. Intell. Stat.',
  UAI: 'Uncertain. Artif. Intell.',
  IJCAI: 'Proc. Int. Jt. Conf. Artif. Intell.',
};
const FULL: Readonly<Record<string, string>> = {
  NeurIPS: 'Advances in Neural Information Processing Systems 34',
  ICML: 'Proceedings of the 38th International Conference on Machine Learning',
  ICLR: 'International Conference on Learning Representations (ICLR)',
  CVPR: 'Proceedings of the IEEE/CVF Conference on Computer Vision and Pattern Recognition',
  AAAI: 'Proceedings of the Thirty-Fifth AAAI Conference on Artificial Intelligence',
};
/** Combining marks, and the commands of TeX in the same order. */
const MARKS = '\u0301\u0300\u0302\u0308\u0303\u030c\u0327';
const COMMANDS = ["\\'", '\\`', '\\^', '\\"', '\\~', '\\v ', '\\c '];

export type Variants = Readonly<Record<string, Vary>>;

export const harmless: Variants = {
  intact: (fields) => fields,
  initials: (fields) => ({ ...fields, author: mapNames(fields, initials) }),
  'family name first': (fields) => ({ ...fields, author: mapNames(fields, familyFirst) }),
  'and others': (fields, at) => {
    const names = namesIn(fields['author'] ?? '');
    const shown = 1 + (at % 3);
    if (names.length <= shown) return undefined;
    return { ...fields, author: [...names.slice(0, shown), 'others'].join(' and ') };
  },
  'TeX accents': (fields) => {
    const author = toTex(fields['author'] ?? '');
    return author === fields['author'] ? undefined : { ...fields, author };
  },
  'other case': (fields, at) => {
    const title = fields['title'] ?? '';
    return { ...fields, title: at % 2 === 0 ? title.toUpperCase() : title.toLowerCase() };
  },
  'abbreviated venue': venueFrom(ABBREVIATED),
  'full venue': venueFrom(FULL),
  'dropped subtitle': (fields) => {
    const [main = '', ...rest] = (fields['title'] ?? '').split(/:\s/);
    return rest.length === 0 ? undefined : { ...fields, title: main };
  },
  'preprint instead of published': (fields, at) => {
    const { booktitle, doi: _doi, url: _url, ...rest } = fields;
    if (booktitle === undefined) return undefined;
    return { ...rest, year: yearFrom(fields, -(at % 2)), journal: 'arXiv preprint' };
  },
};

/** Mistakes of real people. None makes a paper a fabrication. */
export const careless: Variants = {
  'another venue': ({ journal: _, ...fields }) => ({ ...fields, booktitle: 'SIGGRAPH Asia' }),
  'another year': (fields, at) => ({ ...fields, year: yearFrom(fields, -3 + (at % 2) * 6) }),
  'another venue and year': ({ journal: _, ...fields }) => {
    return { ...fields, booktitle: 'SIGGRAPH Asia', year: yearFrom(fields, -3) };
  },
  'without one author': (fields, at) => {
    const names = namesIn(fields['author'] ?? '');
    if (names.length < 2) return undefined;
    return { ...fields, author: names.filter((_, i) => i !== at % names.length).join(' and ') };
  },
  'family names alone': (fields) => ({ ...fields, author: mapNames(fields, familyName) }),
  'two letters swapped in the title': (fields, at) => {
    const title = fields['title'] ?? '';
    const [word] = [...title.matchAll(/\p{Ll}{6,}/gu)].slice(at % 2);
    if (word === undefined) return undefined;
    const [a = '', b = ''] = word[0].slice(2, 4);
    const from = word.index + 2;
    return { ...fields, title: `${title.slice(0, from)}${b}${a}${title.slice(from + 2)}` };
  },
  'a short word left out of the title': (fields) => {
    const title = fields['title'] ?? '';
    const shorter = title.replace(/ (?:of|for|the|a|in|with|and|to|via|by|on) /, ' ');
    return shorter === title ? undefined : { ...fields, title: shorter };
  },
  'another identifier': (fields) => ({ ...fields, doi: '10.5555/nobody-has-this' }),
};

/** The variant of an entry; undefined if it has nothing to vary. */
export function variantOf(
  entry: BenchmarkEntry,
  vary: Vary,
  at: number,
): BenchmarkEntry | undefined {
  const fields = vary(entry.fields, at);
  return fields === undefined ? undefined : { ...entry, fields };
}

function venueFrom(names: Readonly<Record<string, string>>): Vary {
  return (fields) => {
    const venue = names[fields['booktitle'] ?? ''];
    return venue === undefined ? undefined : { ...fields, booktitle: venue };
  };
}

function mapNames({ author = '' }: Record<string, string>, change: (name: string) => string) {
  return namesIn(author).map(change).join(' and ');
}

function yearFrom({ year }: Record<string, string>, more: number): string {
  return String(Number(year) + more);
}

/** Without the number by which DBLP tells people apart. */
function wordsOf(name: string): string[] {
  return name.replace(/ \d{4}$/, '').split(' ');
}

function familyName(name: string): string {
  return wordsOf(name).at(-1) ?? name;
}

function initials(name: string): string {
  const given = wordsOf(name).slice(0, -1);
  return [...given.map((word) => `${word.charAt(0)}.`), familyName(name)].join(' ');
}

function familyFirst(name: string): string {
  const given = wordsOf(name).slice(0, -1);
  return given.length === 0 ? name : `${familyName(name)}, ${given.join(' ')}`;
}

function toTex(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(\p{L})([\u0300-\u0327])/gu, (whole, letter: string, mark: string) => {
      const command = COMMANDS[MARKS.indexOf(mark)];
      return command === undefined ? whole : `{${command}{${letter}}}`;
    })
    .normalize('NFC');
}
