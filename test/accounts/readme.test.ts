/** src/accounts/README.md agrees with the code. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountSettings } from '../../src/settings/accounts-settings.ts';
import { expectFilesToBeNamed, expectLinksToExist } from '../support/readme.ts';

const path = resolve(import.meta.dirname, '../../src/accounts/README.md');
const readme = readFileSync(path, 'utf8');

describe('src/accounts/README.md', () => {
  it('states the default limits of the throttles', () => {
    const { triesPerBrowserMax, linksPerBrowserMax, triesPerAddressMax } = accountSettings;
    const { triesPerAccountAndAddressMax, linksPerAccountAndAddressMax } = accountSettings;
    const { linksPerAddressMax, triesPerAccountMax, linksPerAccountMax } = accountSettings;
    const rows = [
      ['known browser', triesPerBrowserMax, linksPerBrowserMax],
      ['account and network address', triesPerAccountAndAddressMax, linksPerAccountAndAddressMax],
      ['network address', triesPerAddressMax, linksPerAddressMax],
      ['account, over all unknown browsers', triesPerAccountMax, linksPerAccountMax],
    ] as const;
    for (const [what, tries, links] of rows) {
      expect(readme).toContain(`| ${what} | ${tries.value} | ${links.value} |`);
    }
  });

  it('describes every kind of entry', () => {
    for (const kind of ['topup', 'hold', 'settle', 'release', 'refund', 'adjust']) {
      expect(readme).toContain(`| \`${kind}\` |`);
    }
  });

  it('names every file of its folder', () => {
    expectFilesToBeNamed(path);
  });

  it('links only to headings and files that exist', () => {
    expectLinksToExist(path);
  });
});
