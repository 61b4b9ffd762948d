/** The letters and digits of titles, which are compared many times in a call. Pure. */
import { lettersOf } from '../../../identity/record-keys.ts';
import { mainTitle } from '../../../identity/title-keys.ts';
import { memoize } from '../../../text/memoize.ts';

/** Letters and digits in lower case, without diacritics. */
export const lettersIn = memoize(lettersOf);

/** Those of a title without its subtitle. */
export const mainLettersIn = memoize((title) => lettersOf(mainTitle(title)));
