/** The frame of every page: header, navigation, content and footer. */
import type { ComponentChildren } from 'preact';
import type { Contact } from '../../accounts/operator-contact.ts';
import type { Assets } from '../page/assets.ts';
import { ContactLink } from './contact-link.tsx';
import { Form } from './form.tsx';
import { formatCount } from './format.ts';

export interface LayoutProps {
  title: string;
  assets: Assets;
  path: string;
  customer: LayoutCustomer | undefined;
  isNarrow: boolean;
  /** Where customers reach the operator. */
  contact: Contact | undefined;
  children: ComponentChildren;
}

/** What the frame shows about the signed-in customer. */
export interface LayoutCustomer {
  balance: number;
  isLow: boolean;
  formToken: string;
}

const customerLinks: readonly (readonly [path: string, label: string])[] = [
  ['/dashboard', 'Overview'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/usage', 'Usage'],
  ['/dashboard/activity', 'Activity'],
  ['/dashboard/try', 'Try it'],
  ['/docs', 'Docs'],
  ['/dashboard/account', 'Account'],
];
const visitorLinks: typeof customerLinks = [
  ['/docs', 'Docs'],
  ['/dashboard/sign-in', 'Sign in'],
];

export function Layout(props: LayoutProps) {
  const { title, assets, path, customer, isNarrow, contact, children } = props;
  const links = customer === undefined ? visitorLinks : customerLinks;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Verbatim`}</title>
        <link rel="icon" href={assets.icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={assets.style.path} />
        <script src={assets.script.path} defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <div class="inner bar-inner">
            <a class="brand" href={customer === undefined ? '/' : '/dashboard'}>
              <img src={assets.icon.path} alt="" width="28" height="28" />
              Verbatim
            </a>
            <nav class="nav" aria-label="Main">
              {links.map(([to, label]) => (
                <a
                  key={to}
                  href={to}
                  data-label={label}
                  {...(isAt(path, to) ? { 'aria-current': 'page' } : {})}
                >
                  {label}
                </a>
              ))}
            </nav>
            {customer === undefined ? null : <Balance {...customer} />}
          </div>
        </header>
        <main id="main" class={isNarrow ? 'inner narrow' : 'inner'} tabIndex={-1}>
          {children}
        </main>
        {/* The script says here what it did. */}
        <div id="announcement" class="hidden" aria-live="polite" />
        <footer class="foot">
          <div class="inner">
            <span>Verbatim finds the one sentence that answers, word for word.</span>
            <a href="/docs">Documentation</a>
            {contact === undefined ? null : (
              <span>
                Operator: <ContactLink contact={contact} />
              </span>
            )}
          </div>
        </footer>
      </body>
    </html>
  );
}

function Balance({ balance, isLow, formToken }: LayoutCustomer) {
  const isWarning = isLow || balance <= 0;
  return (
    <div class="who">
      <a class={isWarning ? 'chip low' : 'chip'} href="/dashboard/top-up">
        {formatCount(balance)} {balance === 1 ? 'credit' : 'credits'}
        <span class="hidden">{isWarning ? ', running low: top up' : ', top up'}</span>
      </a>
      <Form action="/dashboard/sign-out" token={formToken} class="">
        <button class="button plain compact" type="submit">
          Sign out
        </button>
      </Form>
    </div>
  );
}

function isAt(path: string, link: string): boolean {
  return link === '/dashboard' ? path === link : path === link || path.startsWith(`${link}/`);
}
