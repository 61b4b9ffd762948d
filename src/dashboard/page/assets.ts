/**
 * The stylesheet, scripts and icon. Their names contain a hash of their content, so browsers keep
 * them for a year and still load a new version at once.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { errorResponse } from '../../http/responses.ts';
import { dashboardAssetsPath } from '../../settings/bundle.ts';
import { type HeaderOptions, secured } from './security-headers.ts';

export interface Asset {
  path: string;
  type: string;
  body: string;
}

export interface Assets {
  style: Asset;
  script: Asset;
  /** Of the operator's pages. */
  operatorScript: Asset;
  icon: Asset;
}

const HASH_DIGITS = 12;

/** The parts of the stylesheet, in cascade order. */
const STYLES = [
  ...['tokens', 'elements', 'frame', 'components', 'forms', 'tables', 'chart', 'snippets'],
  ...['citations', 'results', 'row-menu', 'front', 'docs', 'live', 'preferences'],
];

/** Reads the assets from disk, once. */
export function loadAssets(): Assets {
  const style = STYLES.map((name) => read(`style/${name}.css`)).join('');
  return {
    style: asset('style.css', 'text/css; charset=utf-8', style),
    script: asset('dashboard.js', 'text/javascript; charset=utf-8', read('dashboard.js')),
    operatorScript: asset('operator.js', 'text/javascript; charset=utf-8', read('operator.js')),
    icon: asset('icon.svg', 'image/svg+xml', read('icon.svg')),
  };
}

function read(name: string): string {
  return readFileSync(join(dashboardAssetsPath(), name), 'utf8');
}

function asset(name: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_DIGITS);
  return { path: `/assets/${name.replace('.', `-${hash}.`)}`, type, body };
}

/** Sends an asset, which browsers keep. */
export async function assetResponse(
  { isSecure }: HeaderOptions,
  { type, body }: Asset,
  { method }: HttpRequest,
): Promise<HttpResponse> {
  if (method !== 'GET' && method !== 'HEAD') {
    const error = new VerbatimError('method_not_allowed');
    return secured(errorResponse(error, { Allow: 'GET, HEAD' }), { isSecure });
  }
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  return secured({ status: 200, headers, body, mayCompress: true }, { isSecure });
}
