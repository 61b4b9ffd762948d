/** The packs of credits on sale, parsed from the settings. Pure. */

import { VerbatimError } from '../../errors.ts';
import { CREDITS_MAX } from '../amounts/credits.ts';
import { AMOUNT_MAX } from '../amounts/price.ts';

/** A number of credits and its price. The credits identify the pack. */
export interface Pack {
  credits: number;
  /** In the smallest unit of the currency, as at Stripe. */
  amount: number;
}

export interface Offer {
  /** In the order of the settings. */
  packs: readonly Pack[];
  /** Three lower-case letters. */
  currency: string;
}

/** Finds the pack of so many credits. */
export function findPack({ packs }: Offer, credits: number): Pack | undefined {
  return packs.find((pack) => pack.credits === credits);
}

const PACKS_MAX = 20;

/** Parses the offer. Throws `usage` naming the variable and the problem. */
export function parseOffer(settings: { creditPacks: string; creditCurrency: string }): Offer {
  const packs = settings.creditPacks.split(',').map((text) => parsePack(text.trim()));
  if (packs.length > PACKS_MAX) {
    throw invalidPacks(`at most ${PACKS_MAX} packs can be sold, not ${packs.length}`);
  }
  const credits = packs.map((pack) => pack.credits);
  const twice = credits.find((count, index) => credits.indexOf(count) !== index);
  if (twice !== undefined) throw invalidPacks(`there are two packs of ${twice} credits`);
  const currency = settings.creditCurrency.toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) {
    throw new VerbatimError(
      'usage',
      `VERBATIM_CREDIT_CURRENCY must be a code of three letters, not "${settings.creditCurrency}"`,
    );
  }
  return { packs, currency };
}

function parsePack(text: string): Pack {
  const [, credits, amount] = /^(\d{1,12}):(\d{1,12})$/.exec(text) ?? [];
  if (credits === undefined || amount === undefined) {
    throw invalidPacks(`"${text}" is not a pack; write 1,000 credits for 500 cents as 1000:500`);
  }
  const pack = { credits: Number(credits), amount: Number(amount) };
  checkRange(text, { what: 'credits', value: pack.credits, maximum: CREDITS_MAX });
  checkRange(text, { what: 'price', value: pack.amount, maximum: AMOUNT_MAX });
  return pack;
}

function checkRange(
  text: string,
  { what, value, maximum }: { what: string; value: number; maximum: number },
): void {
  if (value >= 1 && value <= maximum) return;
  throw invalidPacks(`the ${what} of "${text}" must be between 1 and ${maximum}`);
}

function invalidPacks(reason: string): VerbatimError {
  return new VerbatimError('usage', `VERBATIM_CREDIT_PACKS: ${reason}`);
}
