/** ORCIDs, which name people: 16 digits with a check digit. Pure. */

const WRITTEN =
  /^(?:(?:https?:\/\/)?(?:www\.)?orcid\.org\/|orcid:?\s*)?(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\/?$/i;

/**
 * Returns the normal form, `0000-0002-1825-0097`, with or without an address before it. Returns
 * undefined for any other text, and if the check digit is wrong.
 */
export function orcidOf(text: string): string | undefined {
  const groups = WRITTEN.exec(text.trim())?.slice(1);
  const orcid = groups?.join('-').toUpperCase();
  return orcid !== undefined && isChecked(orcid.replaceAll('-', '')) ? orcid : undefined;
}

/** Returns whether a text has the form of an ORCID, and the wrong check digit. */
export function isMistypedOrcid(text: string): boolean {
  return WRITTEN.test(text.trim()) && orcidOf(text) === undefined;
}

/** ISO 7064, MOD 11-2. X stands for 10. */
function isChecked(digits: string): boolean {
  const sum = [...digits.slice(0, -1)].reduce((total, digit) => (total + Number(digit)) * 2, 0);
  const check = (12 - (sum % 11)) % 11;
  return digits.at(-1) === (check === 10 ? 'X' : String(check));
}
