/** What pages say where a number of credits was expected. */
import { CREDITS_RANGE } from '../../credits.ts';

/** Of a field that may be left empty. */
export const CREDITS_ADVICE = `Enter ${CREDITS_RANGE}, or leave it empty.`;
