/** Numbers and units in running text: "1,200", "twenty-five", "threefold", "mg", "weeks". Pure. */

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth';

const values = new Map<string, string>([
  ...ONES.split(' ').map((word, value) => [word, `${value}`] as const),
  ...TENS.split(' ').map((word, at) => [word, `${20 + 10 * at}`] as const),
  ...ORDINALS.split(' ').map((word, value) => [word, `${value}th`] as const),
  ...['once', 'twice', 'thrice'].map((word, at) => [word, `${at + 1}fold`] as const),
  ...['double', 'triple', 'quadruple'].map((word, at) => [word, `${at + 2}fold`] as const),
  ...['doubled', 'tripled', 'quadrupled'].map((word, at) => [word, `${at + 2}fold`] as const),
  ...['hundred', 'thousand', 'million', 'billion', 'trillion'].map((word) => [word, word] as const),
  ...['hundreds', 'thousands', 'millions', 'billions'].map((word) => [word, word] as const),
  ...['dozen', 'half', 'quarter', 'thirds', 'quarters'].map((word) => [word, word] as const),
]);

const NUMERAL = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/;

/**
 * What a word in lower case counts, in one spelling: "1200" for "1,200", "2" for "two" and "2.0". Undefined
 * if the word is no number.
 */
export function numberOf(word: string): string | undefined {
  const known = values.get(word);
  if (known !== undefined) return known;
  if (/^[a-z]+$/.test(word) && !word.endsWith('fold')) return undefined;
  const numeral = word.replace(/[·⋅]/, '.');
  if (/\d/.test(numeral) && NUMERAL.test(numeral)) return `${Number(numeral.replaceAll(',', ''))}`;
  const ordinal = ORDINAL.exec(word)?.[1];
  if (ordinal !== undefined) return `${ordinal}th`;
  if (/^[-+.\p{N}⁺⁻·⋅,]+$/u.test(word) && /\p{N}/u.test(word)) return word;
  const [, tens = '', ones = ''] = /^(\p{L}+)-(\p{L}+)$/u.exec(word) ?? [];
  if (values.has(tens) && values.has(ones))
    return `${Number(values.get(tens)) + Number(values.get(ones))}`;
  const times = /^(\p{L}+|\d+)fold$/u.exec(word)?.[1];
  const factor = times === undefined ? undefined : numberOf(times);
  return factor === undefined ? undefined : `${factor}fold`;
}

/** These often count nothing: "one", "first", "once", "half". */
const VAGUE = /^(?:1|\d*th|1fold|half|quarters?|dozen|thirds)$/;

/** Whether what `numberOf` returned is a number wherever it stands. */
export function isExact(number: string | undefined): boolean {
  return number !== undefined && !VAGUE.test(number);
}

const PREFIXES = 'da|[yzafpnμmcdhkKMGTP]';
const SYMBOLS =
  'm|g|l|L|s|sec|min|h|hr|hrs|d|wk|mo|yr|yrs|mol|M|N|Pa|bar|Hz|V|A|W|Wh|J|eV|Da|T|K|C|F|Ω|cal|Ci|Bq|Gy|Sv|U|IU|bp|b|B|bit|ha';
const SYMBOL = new RegExp(`^(?:${PREFIXES})?(?:${SYMBOLS})$`, 'u');
const OTHERS = /^(?:%|‰|°|mmHg|rpm|ppm|ppb|ft|in|lb|lbs|oz|mi|mph|dB|pH|AU|pc|px)$/;
const UNIT_WORD = new RegExp(
  `^(?:${[
    'percent|percentage|points?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centuries|century',
    '(?:kilo|mega|giga|tera|milli|micro|nano|pico|femto|centi|deci)?(?:grams?|grammes?|met(?:er|re)s?|lit(?:er|re)s?|moles?|molar|seconds?|volts?|amperes?|watts?|joules?|pascals?|hertz|bytes?|bits?|calories?|daltons?|curies?|grays?|bases?)',
    'tons?|tonnes?|pounds?|ounces?|inch(?:es)?|feet|foot|yards?|miles?|acres?|hectares?|degrees?|celsius|fahrenheit|kelvin|radians?|dollars?|euros?|cents?|pence|yen',
  ].join('|')})$`,
  'i',
);

/** Whether a word is the name of a unit. */
export function isUnitWord(word: string): boolean {
  return UNIT_WORD.test(word);
}

/** Whether a word can be the symbol of a unit, as it may be after a number: "mg", "%". */
export function isUnitSymbol(word: string): boolean {
  return SYMBOL.test(word) || OTHERS.test(word);
}

/** Whether two units are one in other words: "%" and "percent", "h" and "hours". */
export function isSameUnit(one: string, other: string): boolean {
  const names = (unit: string): string | undefined => SAME.find((list) => list.includes(unit))?.[0];
  return one === other || (names(one) !== undefined && names(one) === names(other));
}

const SAME = [
  ['%', 'percent', 'percentage'],
  ['s', 'sec', 'second', 'seconds'],
  ['min', 'minute', 'minutes'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['d', 'day', 'days'],
  ['wk', 'week', 'weeks'],
  ['mo', 'month', 'months'],
  ['yr', 'yrs', 'year', 'years'],
  ['l', 'L', 'liter', 'liters', 'litre', 'litres'],
  ['ml', 'mL'],
  ['μl', 'μL'],
  ['dl', 'dL'],
];
