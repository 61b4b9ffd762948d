/** The fields of study in the words of all sources, as one of our own. Pure. */
import { type FieldOfStudy, fieldsOfStudy } from '../types.ts';

/** Other names of a field. A name counts here only if it means that field and no wider one. */
const otherNames: Partial<Record<FieldOfStudy, readonly string[]>> = {
  'Agricultural and food sciences': [
    ...['Agricultural sciences', 'Agriculture', 'Agriculture, forestry and fisheries'],
    ...['Animal and dairy science', 'Agricultural biotechnology', 'Other agricultural sciences'],
  ],
  'Arts and humanities': [
    'Art',
    'Arts',
    'Humanities',
    'Other humanities',
    'Arts (arts, history of arts, performing arts, music)',
  ],
  'Biochemistry and genetics': [
    ...['Biochemistry, genetics and molecular biology', 'Biochemistry and molecular biology'],
  ],
  Biology: ['Biological sciences'],
  Business: ['Business, management and accounting'],
  'Computer science': ['Computer and information sciences'],
  'Earth science': [
    ...['Geology', 'Earth sciences', 'Earth and planetary sciences'],
    'Earth and related environmental sciences',
  ],
  Economics: ['Economics, econometrics and finance', 'Economics and business'],
  Education: ['Educational sciences', 'Education and educational research'],
  'Electrical engineering': [
    'Electrical engineering and systems science',
    'Electrical engineering, electronic engineering, information engineering',
  ],
  Energy: ['Energy and fuels'],
  Engineering: [
    ...['Engineering and technology', 'Civil engineering', 'Mechanical engineering'],
    ...['Medical engineering', 'Other engineering and technologies'],
  ],
  'Environmental science': [
    ...['Environmental sciences', 'Environmental engineering'],
    ...['Environmental sciences and ecology', 'Environmental biotechnology'],
  ],
  Geography: ['Social and economic geography'],
  History: ['History and archaeology'],
  'Language and literature': ['Languages and literature'],
  'Materials science': ['Materials engineering'],
  'Media and communications': ['Communication', 'Media and communication'],
  Medicine: [
    ...['Medical and health sciences', 'Basic medicine', 'Clinical medicine', 'Health sciences'],
    ...['Medical biotechnology', 'Health biotechnology', 'Other medical sciences'],
  ],
  'Natural sciences': ['Other natural sciences'],
  Neuroscience: ['Neurosciences and neurology'],
  Pharmacology: ['Pharmacology, toxicology and pharmaceutics', 'Pharmacology and pharmacy'],
  Philosophy: ['Philosophy, ethics and religion'],
  Physics: ['Physics and astronomy', 'Physical sciences', 'Physical sciences and astronomy'],
  Psychology: ['Psychology and cognitive sciences'],
  'Social sciences': ['Other social sciences'],
  'Veterinary medicine': ['Veterinary', 'Veterinary science', 'Veterinary sciences'],
};

const fieldOfName = new Map(
  fieldsOfStudy.flatMap((field) =>
    [field, ...(otherNames[field] ?? [])].map((name) => [lettersOf(name), field] as const),
  ),
);

/** The field that a name means; undefined if it means none. Case and punctuation do not matter. */
export function fieldOfStudy(name: string): FieldOfStudy | undefined {
  return fieldOfName.get(lettersOf(name));
}

/** "Physics & Astronomy" and "Physics and Astronomy" are one name. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/\band\b|[^\p{L}]/gu, '');
}
