/** Where Stripe shows a thing to its seller. Pure. */
import type { Settings } from '../../../settings/config.ts';

/** The folders of Stripe's own dashboard, by the beginning of an id. */
const folders: Readonly<Record<string, string>> = {
  pi: 'payments',
  du: 'disputes',
  dp: 'disputes',
  evt: 'events',
};

/** Returns the address; undefined for an id without a page, or one that Stripe did not give. */
export function stripeAddress(
  { stripeSecretKey }: Pick<Settings, 'stripeSecretKey'>,
  id: string,
): string | undefined {
  const [, kind = ''] = /^([a-z]+)_\w+$/.exec(id) ?? [];
  const folder = Object.hasOwn(folders, kind) ? folders[kind] : undefined;
  if (folder === undefined) return undefined;
  const mode = stripeSecretKey.includes('_test_') ? 'test/' : '';
  return `https://dashboard.stripe.com/${mode}${folder}/${id}`;
}
