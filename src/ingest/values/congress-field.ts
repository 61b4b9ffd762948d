/** Fields of study from classes of the Library of Congress Classification (loc.gov/catdir/cpso/lcco). Pure. */
import type { FieldOfStudy } from '../../types.ts';

/** Fields by the letters of a class. A class without a field of its own has that of its first letter. */
const fieldOfClass: Readonly<Record<string, FieldOfStudy | undefined>> = {
  B: 'Philosophy',
  BF: 'Psychology',
  ...classes('BL BM BP BQ BR BS BT BV BX', 'Religion'),
  ...classes('C D E F', 'History'),
  G: 'Geography',
  GC: 'Earth science',
  GE: 'Environmental science',
  GN: 'Social sciences',
  // Sports and recreation.
  GV: undefined,
  H: 'Social sciences',
  HA: 'Statistics',
  ...classes('HB HC HD HG HJ', 'Economics'),
  HF: 'Business',
  HM: 'Sociology',
  J: 'Political science',
  K: 'Law',
  L: 'Education',
  ...classes('M N', 'Arts and humanities'),
  P: 'Language and literature',
  Q: 'Natural sciences',
  QA: 'Mathematics',
  ...classes('QB QC', 'Physics'),
  QD: 'Chemistry',
  QE: 'Earth science',
  ...classes('QH QK QL QM QP', 'Biology'),
  QR: 'Immunology and microbiology',
  R: 'Medicine',
  RK: 'Dentistry',
  ...classes('RM RS', 'Pharmacology'),
  RT: 'Nursing',
  S: 'Agricultural and food sciences',
  T: 'Engineering',
  TK: 'Electrical engineering',
  TP: 'Chemical engineering',
  Z: 'Library science',
};

function classes(letters: string, field: FieldOfStudy): Record<string, FieldOfStudy> {
  return Object.fromEntries(letters.split(' ').map((one) => [one, field]));
}

/** The field of a class such as `QA75.5-76.95` or `R`. */
export function congressField(code: string): FieldOfStudy | undefined {
  const [, letters = '', number = ''] = /^([A-Z]{1,3})(\d*)/.exec(code.trim()) ?? [];
  // Mathematics has computer science in the middle.
  if (letters === 'QA' && ['75', '76'].includes(number)) return 'Computer science';
  const [first = ''] = letters;
  return letters in fieldOfClass ? fieldOfClass[letters] : fieldOfClass[first];
}
