/** What programs read without a key: the documentation, robots.txt, and security.txt. */
import { readContact } from '../../accounts/operator-contact.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { createLlmsText } from '../docs/llms-txt.ts';
import { createOpenApi } from '../docs/openapi.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';

const DAY_MS = 86_400_000;
/** The standard recommends less than a year. */
const SECURITY_TEXT_DAYS = 90;

export function openApiPage({ baseUrl, service }: DashboardDeps): HttpResponse {
  const body = JSON.stringify(createOpenApi(baseUrl(), service.version));
  return publicText('application/json', body);
}

export function llmsTextPage({ baseUrl, accounts }: DashboardDeps): HttpResponse {
  const text = createLlmsText(baseUrl(), accounts.settings);
  return publicText('text/plain; charset=utf-8', text);
}

/** Crawlers may read the pages of visitors. Nothing else at this address is theirs: RFC 9309. */
export function robotsTextPage(): HttpResponse {
  return publicText(
    'text/plain; charset=utf-8',
    'User-agent: *\nDisallow: /dashboard\nDisallow: /v1/\n',
  );
}

/** Tells where to report a vulnerability: RFC 9116. Throws `not_found` if the operator set no contact. */
export function securityTextPage({ accounts }: DashboardDeps): HttpResponse {
  const contact = readContact(accounts.settings);
  if (contact === undefined) throw new VerbatimError('not_found');
  // The file must say how long it holds. It is made from the settings, so it holds whenever it is read.
  const expires = new Date(Date.now() + SECURITY_TEXT_DAYS * DAY_MS).toISOString();
  const body = `Contact: ${contact.href}\nExpires: ${expires}\n`;
  return publicText('text/plain; charset=utf-8', body);
}

function publicText(type: string, body: string): HttpResponse {
  return { status: 200, headers: { 'Content-Type': type }, body, mayCompress: true };
}
