/** Detects what databases and programs write in place of a text that they do not have. Pure. */

/** A longer text says something. */
const CHARACTERS_MAX = 60;

/** Also the brackets, periods, and dashes around a placeholder. */
const SIGNS_AROUND = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;

const UNKNOWN = 'n\\.?\\s?[/.]?\\s?a|null|nan|none|undefined|not available|unavailable';

const NO_ABSTRACT = new RegExp(
  `^(?:${UNKNOWN}|(?:there is )?no abstract(?: (?:is )?(?:available|provided|found|supplied))?|` +
    '(?:the )?abstract (?:is )?(?:not (?:available|provided|found|supplied)|unavailable))$',
  'i',
);

/** Case decides, because Nan, Na, and Null are family names. */
const NO_AUTHOR = /^(?:nan|NaN|N\/A|n\/a|NA|null|NULL|None|undefined)$/;
const NO_AUTHOR_NAME =
  /^\P{L}*no authors?(?: (?:names?|ids?))? (?:available|listed|found|provided)\P{L}*$/iu;

/** Whether the field of an abstract says that there is none: `[No abstract available]`, `NA`, `-`. */
export function isAbstractPlaceholder(text: string): boolean {
  if (text.length > CHARACTERS_MAX) return false;
  const core = text.replace(SIGNS_AROUND, '');
  return core === '' || NO_ABSTRACT.test(core);
}

/** Whether a name says that there is none: `nan`, `[No author name available]`. */
export function isNamePlaceholder(name: string): boolean {
  if (name.length > CHARACTERS_MAX) return false;
  return NO_AUTHOR.test(name) || NO_AUTHOR_NAME.test(name);
}
