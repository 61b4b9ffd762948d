/** The settings: combinations that a server would refuse, and a file of secrets that others read. */
import { assertAccountSettings } from '../../accounts/create-accounts.ts';
import { readOffer } from '../../accounts/payments/top-up.ts';
import { messageOf } from '../../errors.ts';
import { assertIndexSettings } from '../../index/open/index-place.ts';
import { createWebhook } from '../../metrics/alerts/send-webhook.ts';
import { holdsSecrets } from '../../settings/config.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

export const checkSettings: Check = {
  name: 'settings',
  run({ settings, file }) {
    const rules = [assertAccountSettings, assertIndexSettings, readOffer, createWebhook];
    const findings: Finding[] = rules.flatMap((assert) => {
      try {
        assert(settings);
        return [];
      } catch (cause) {
        return [error(messageOf(cause), 'change the setting; see: verbatim config')];
      }
    });
    if (file?.isOpenToOthers && holdsSecrets(file)) {
      findings.push(
        warning(`others can read the secrets in ${file.path}`, `chmod 600 ${file.path}`),
      );
    }
    if (findings.length > 0) return findings;
    return [ok(file === undefined ? 'no settings file' : `from ${file.path}`)];
  },
};
