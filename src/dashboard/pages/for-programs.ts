/** GET /openapi.json and GET /llms.txt: the documentation for programs, for everyone. */
import type { HttpResponse } from '../../http/messages.ts';
import { createLlmsText } from '../docs/llms-txt.ts';
import { createOpenApi } from '../docs/openapi.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';

export function openApiPage({ baseUrl, service }: DashboardDeps): HttpResponse {
  const body = JSON.stringify(createOpenApi(baseUrl(), service.version));
  return publicText('application/json', body);
}

export function llmsTextPage({ baseUrl }: DashboardDeps): HttpResponse {
  return publicText('text/plain; charset=utf-8', createLlmsText(baseUrl()));
}

function publicText(type: string, body: string): HttpResponse {
  return { status: 200, headers: { 'Content-Type': type }, body, mayCompress: true };
}
