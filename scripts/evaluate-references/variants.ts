/** Harmless variants of a true reference, such as every style and every author makes. */
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
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0301': "\\'",
  '\u0300': '\\`',
  '\u0302': '\\^',
  '\u0308': '\\"',
  '\u0303': '\\~',
  '\u030c': '\\v ',
  '\u0327': '\\c ',
};

export const variants: Readonly<Record<string, Vary>> = {
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
    const year = String(Number(fields['year']) - (at % 2));
    return { ...rest, year, journal: 'arXiv preprint' };
  },
};

/** The variant of an entry; undefined if it has nothing to vary. */
export function variantOf(
  entry: BenchmarkEntry,
  name: string,
  at: number,
): BenchmarkEntry | undefined {
  const fields = variants[name]?.(entry.fields, at);
  return fields === undefined ? undefined : { ...entry, fields };
}

function venueFrom(names: Readonly<Record<string, string>>): Vary {
  return (fields) => {
    const venue = names[fields['booktitle'] ?? ''];
    return venue === undefined ? undefined : { ...fields, booktitle: venue };
  };
}

function mapNames(fields: Record<string, string>, change: (name: string) => string): string {
  return namesIn(fields['author'] ?? '')
    .map(change)
    .join(' and ');
}

function initials(name: string): string {
  const words = name.replace(/ \d{4}$/, '').split(' ');
  return [...words.slice(0, -1).map((word) => `${word.charAt(0)}.`), words.at(-1)].join(' ');
}

function familyFirst(name: string): string {
  const words = name.replace(/ \d{4}$/, '').split(' ');
  return words.length < 2 ? name : `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`;
}

function toTex(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(\p{L})([\u0300-\u0327])/gu, (whole, letter: string, mark: string) => {
      const command = ACCENTS[mark];
      return command === undefined ? whole : `{${command}{${letter}}}`;
    })
    .normalize('NFC');
}
