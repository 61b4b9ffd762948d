/**
 * Removes email addresses and telephone numbers from a question before it is sent to a provider.
 * They identify a person and help no search. A number that may be a year, an identifier, or a
 * quantity stays, because the question may be about it. The time is linear in the length.
 */

/** The characters between the groups of a number. */
const SEPARATOR = '[ ./\\u2010-\\u2013-]';
/** Not in the middle of a word, a number, or an identifier. */
const START = '(?<![\\p{L}\\p{N}_@][./:\\u2010-\\u2013-]?)';
const END = '(?![\\u2010-\\u2013-]?[\\p{L}\\p{N}_@]|[./:][\\p{L}\\p{N}])';

/** Identifiers that look like telephone numbers. They are matched first, so that they stay. */
const IDENTIFIERS = [
  '10\\.\\d{4,9}/\\S+',
  // The name of a scheme before a number: "PMID: 12345678", "ISBN 978-0-306-40615-7".
  '(?:doi|pmid|pmc(?:id)?|arxiv|isbn(?:-1[03])?|issn|cas(?: (?:no\\.?|number|rn))?|orcid|nct|ec|oclc|lccn)' +
    '\\s*[:#]?\\s*[\\d][\\dXx./\\u2010-\\u2013 -]*',
  // An ISBN-13 or an ORCID without a name before it.
  '97[89][ \\u2010-\\u2013-]\\d[\\d \\u2010-\\u2013-]{8,12}[\\dXx]',
  '\\d{4}-\\d{4}-\\d{4}-\\d{3}[\\dXx]',
].map((pattern) => `(?<![\\p{L}\\p{N}])${pattern}`);

const EMAIL =
  "(?<![\\p{L}\\p{N}._%+'-])(?:mailto:)?[\\p{L}\\p{N}._%+'-]{1,64}[@\\uff20]" +
  '(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24}(?![\\p{L}\\p{N}])';

const PHONES = [
  // With a plus sign and a country code: "+49 (0)30 123456", "+1 (555) 123-4567".
  `\\+[1-9]\\d{0,2}(?:${SEPARATOR}?\\(\\d{1,5}\\))?(?:${SEPARATOR}?\\d{1,5}){2,8}`,
  // The same with two zeros instead of the plus sign: "0049 30 123456".
  `00[1-9]\\d{0,2}${SEPARATOR}\\(?\\d{1,5}\\)?(?:${SEPARATOR}?\\d{2,5}){1,6}`,
  // North America: "(555) 123-4567", "555-123-4567", "1-800-555-0199".
  '(?:1[ .-])?(?:\\([2-9]\\d{2}\\) ?\\d{3}|[2-9]\\d{2}[.-][2-9]\\d{2})[ .-]\\d{4}',
  // With the zero of an area code: "030/1234567", "020 7946 0958", "06 12 34 56 78".
  `0[1-9](?:[ .]\\d{2}){4}`,
  `\\(?0[1-9]\\d{1,3}\\)?(?:[ /]|[\\u2010-\\u2013-])\\d{3,8}(?:[ \\u2010-\\u2013-]\\d{2,6})?`,
  // After a word such as "phone": "tel. 1234567", "phone: 12 34 56".
  `(?:tel(?:efon|ephone)?|phone|mobile|cell(?:phone)?|fax|whatsapp)(?:\\.|:| ?(?:no\\.?|number):?)\\s*[+(]{0,2}\\d[\\d ()./\\u2010-\\u2013-]{4,20}\\d`,
];

const FOUND = new RegExp(
  [
    `(?<kept>${IDENTIFIERS.join('|')})`,
    `(?<email>${EMAIL})`,
    ...PHONES.map((pattern, at) => `(?<phone${at}>${START}${pattern}${END})`),
  ].join('|'),
  'giu',
);

/** The least and the most digits of a telephone number (ITU-T E.164). */
const PHONE_DIGITS = { min: 9, max: 15 };
/** After a word such as "phone", fewer digits are enough. */
const NAMED_PHONE_DIGITS_MIN = 6;
/** "phone: 1990-2000" is a range of years. */
const YEARS = /(?:1[5-9]|20)\d\d[\s\u2010-\u2013-]+(?:1[5-9]|20)\d\d$/;

export function redactContacts(question: string): string {
  return question
    .replace(FOUND, (found, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      if (groups['kept'] !== undefined) return found;
      return groups['email'] !== undefined || isPhone(found) ? ' ' : found;
    })
    .replace(/\s+/g, ' ')
    .trim();
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const least = /^\p{L}/u.test(text) ? NAMED_PHONE_DIGITS_MIN : PHONE_DIGITS.min;
  return digits >= least && digits <= PHONE_DIGITS.max && !YEARS.test(text);
}
