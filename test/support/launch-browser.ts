/** Starts the browser of the tests and of the pictures. */
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserServer,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';

export const CHROMIUM = '/usr/bin/chromium';
/** The same engine without windows, from a package of its own; takes half of the processor time. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell';
const INSTALLED = existsSync(SHELL) ? SHELL : CHROMIUM;
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  ...['--disable-component-update', '--disable-sync'],
];

export interface Look {
  /** A telephone of 360 pixels instead of a desk. */
  isPhone?: boolean;
  isDark?: boolean;
  /** With JavaScript switched off. */
  isWithoutScript?: boolean;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the browser complained of so far: refused by the policy, failed, or thrown. */
  complaints: string[];
}

/** Rejects with what to install where there is no browser. */
export async function launchBrowser(executablePath = INSTALLED): Promise<Browser> {
  return chromium.launch(optionsOf(executablePath));
}

/** The same for a browser that other processes connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer(optionsOf(INSTALLED));
}

function optionsOf(executablePath: string): LaunchOptions {
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no ${executablePath}: install Debian's chromium with sh scripts/install-packages.sh chromium`,
    );
  }
  return { executablePath, args: FLAGS };
}

/** A window with cookies of its own, that notes what the browser refuses. */
export async function openVisit(browser: Browser, url: string, look: Look): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: look.isPhone ? { width: 360, height: 740 } : { width: 1280, height: 900 },
    colorScheme: look.isDark ? 'dark' : 'light',
    javaScriptEnabled: look.isWithoutScript !== true,
    reducedMotion: 'reduce',
    ...(look.isPhone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A page that answers with an error status is what some tests are about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    // A page may lead elsewhere, as the customer wants; it loads nothing from there.
    const isVisit = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (!isVisit && new URL(request.url()).origin !== new URL(url).origin) {
      complaints.push(`loaded from elsewhere: ${request.url()}`);
    }
  });
  return { page, context, complaints };
}
