/**
 * Takes screenshots of all pages, light and dark, at four widths. Also updates the two screenshots for
 * the README, which are beside this file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { bundlePath, samplePath } from '../../src/bundle.ts';
import { STRIPE_ENV } from '../../test/support/billing-history.ts';
import { launchBrowser, openVisit } from '../../test/support/launch-browser.ts';
import { startPlainClient } from '../../test/support/oauth-client.ts';
import { EMAIL, fill } from './fill.ts';
import { picturesOf } from './picture.ts';
import { search, signIn, takeCustomerPages } from './take-customer.ts';
import { takeOperatorPages } from './take-operator.ts';

const command = new Command('screenshots')
  .description('take screenshots of all pages, light and dark, at four widths')
  .argument('[folder]', 'where to save them (default: a new temporary folder, which is printed)')
  .addHelpText('after', '\nTakes about a minute, and renews the two pictures of the README.')
  .parse();
const folder = command.args[0] ?? mkdtempSync(join(tmpdir(), 'verbatim-screenshots-'));
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'verbatim-pages-'));
const database = join(work, 'verbatim.db');

const beside = join(import.meta.dirname, '../scripts/screenshots');

await run(['index', 'add', samplePath(), '--db', database]);
const session = fill(database);
const client = await startPlainClient('Reading assistant');
const { url, stop } = await serve();
const browser = await launchBrowser();
try {
  await takeForReadme();
  for (const isDark of [false, true]) {
    const { page, context } = await openVisit(browser, url, { isDark });
    const take = picturesOf(page, folder, isDark);
    await takeCustomerPages(page, take, client);
    await takeOperatorPages(page, take, session);
    await context.close();
  }
} finally {
  await browser.close();
  await stop();
  client.close();
  rmSync(work, { recursive: true });
}
console.log(folder);

async function takeForReadme(): Promise<void> {
  const light = await openVisit(browser, url, {});
  await signIn(light.page, EMAIL);
  await light.page.screenshot({ path: join(beside, 'overview.png') });
  const dark = await openVisit(browser, url, { isDark: true });
  await signIn(dark.page, EMAIL);
  await search(dark.page);
  await dark.page.screenshot({ path: join(beside, 'result.png') });
}

interface Served {
  url: string;
  stop: () => Promise<void>;
}

async function serve(): Promise<Served> {
  const child = spawn(process.execPath, [bundlePath(), 'serve', '--db', database], {
    env: {
      ...process.env,
      ...client.env,
      ...STRIPE_ENV,
      VERBATIM_HOST: '127.0.0.1',
      VERBATIM_PORT: '0',
      VERBATIM_METRICS_PORT: '0',
      VERBATIM_OPERATOR_CONTACT: 'help@example.org',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const told = JSON.parse(line) as { event: string; port: number };
    if (told.event !== 'serving') continue;
    child.stderr.resume();
    const stop = async (): Promise<void> => {
      child.kill();
      await once(child, 'exit');
    };
    return { url: `http://localhost:${told.port}`, stop };
  }
  throw new Error('the server exited');
}

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [bundlePath(), ...args], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`verbatim ${args.join(' ')} exited with ${code}`);
}
