/** One browser for all files of a suite, because each start takes seconds of a processor. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';
import { launchBrowserServer } from './launch-browser.ts';

/**
 * Offers a browser, which starts when the first file asks for it. Returns where a GET tells the address
 * to connect to, or with status 500 why there is no browser.
 */
export async function offerBrowser(): Promise<{ url: string; close(): Promise<void> }> {
  let launching: Promise<BrowserServer> | undefined;
  const server = createServer((_request, response) => {
    launching ??= launchBrowserServer();
    launching.then(
      (browser) => response.end(browser.wsEndpoint()),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await (await launching?.catch(() => undefined))?.close();
    },
  };
}
