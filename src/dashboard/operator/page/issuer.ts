/** Whose codes these are, as authenticator apps list them. */
import { baseUrl } from '../../../accounts/base-url.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** An address can be both an operator's and a customer's, so the app must tell their codes apart. */
export function issuerOf({ linkSettings }: Pick<OperatorDeps, 'linkSettings'>): string {
  return `Verbatim operator ${new URL(baseUrl(linkSettings())).host}`;
}
