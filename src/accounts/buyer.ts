/** What a customer wants on receipts: a postal address, and a tax number as free text. */
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import type { Buyer } from './sql/buyers.ts';

/** Reads what a customer has typed. Throws `bad_request` if it is too long. */
export function readBuyer(
  { settings }: Pick<AccountDeps, 'settings'>,
  typed: { address: string; taxId: string },
): Buyer {
  const { buyerAddressCharactersMax, buyerAddressLinesMax, buyerTaxIdCharactersMax } = settings;
  const lines = typed.address
    .split(/\r\n?|\n/)
    .map(withoutControls)
    .filter((line) => line !== '');
  const address = lines.join('\n');
  if (address.length > buyerAddressCharactersMax || lines.length > buyerAddressLinesMax) {
    const limit = `${buyerAddressLinesMax} lines and ${buyerAddressCharactersMax} characters`;
    throw new VerbatimError('bad_request', `the address may have at most ${limit}`);
  }
  const taxId = withoutControls(typed.taxId);
  if (taxId.length > buyerTaxIdCharactersMax) {
    const limit = `${buyerTaxIdCharactersMax} characters`;
    throw new VerbatimError('bad_request', `the tax number may have at most ${limit}`);
  }
  return { address, taxId };
}

/** What no printer shows could reorder or hide the rest of a receipt. */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
}
