/** The frame of every page of customers and visitors: header, navigation, content and footer. */
import type { ComponentChildren } from 'preact';
import type { Contact } from '../../accounts/operator-contact.ts';
import type { Role } from '../../accounts/sql/member-rows.ts';
import type { Assets } from '../page/assets.ts';
import { mayOpen } from '../page/role-access.ts';
import { ContactLink } from './contact-link.tsx';
import { Brand, Document } from './document.tsx';
import { formatCount } from './format-values.ts';
import { type LinkGroup, SideBar } from './side-bar.tsx';

export interface LayoutProps {
  title: string;
  /** As in `View`. */
  description: string | undefined;
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
  /** Empty: none. */
  accountName: string;
  balance: number;
  isLow: boolean;
  formToken: string;
  role: Role;
}

const customerLinks: readonly LinkGroup[] = [
  {
    links: [
      { path: '/dashboard', label: 'Overview', icon: 'overview' },
      { path: '/dashboard/try', label: 'Try it', icon: 'search' },
    ],
  },
  {
    title: 'API',
    links: [
      { path: '/dashboard/requests', label: 'Requests', icon: 'list' },
      { path: '/dashboard/usage', label: 'Usage', icon: 'usage' },
      { path: '/dashboard/keys', label: 'Keys', icon: 'key' },
      { path: '/docs', label: 'Docs', icon: 'book' },
    ],
  },
  {
    title: 'Account',
    links: [
      { path: '/dashboard/billing', label: 'Billing', icon: 'billing' },
      { path: '/dashboard/account', label: 'Account', icon: 'account' },
    ],
  },
];

/** Returns what a role may open. An account that has a name is called by it. */
function linksFor({ role, accountName }: LayoutCustomer): LinkGroup[] {
  return customerLinks.map(({ links, title }) => ({
    title: title === 'Account' && accountName !== '' ? accountName : title,
    links: links.filter(({ path }) => path === '/docs' || mayOpen(role, path)),
  }));
}

const visitorLinks = [
  ['/docs', 'Docs'],
  ['/dashboard/sign-in', 'Sign in'],
] as const;

export function Layout(props: LayoutProps) {
  const { title, description, assets, path, customer, isNarrow, contact, children } = props;
  return (
    <Document
      title={title}
      description={description}
      assets={assets}
      isNarrow={isNarrow}
      isSided={customer !== undefined}
      header={
        customer === undefined ? (
          <VisitorBar assets={assets} path={path} />
        ) : (
          <SideBar
            assets={assets}
            path={path}
            groups={linksFor(customer)}
            home="/dashboard"
            signOut={{ action: '/dashboard/sign-out', token: customer.formToken }}
          >
            <Balance {...customer} />
          </SideBar>
        )
      }
      footer={
        <>
          <span>Verbatim finds the one sentence that answers, word for word.</span>
          <a href="/docs">Documentation</a>
          {contact === undefined ? null : (
            <span>
              Operator: <ContactLink contact={contact} />
            </span>
          )}
        </>
      }
    >
      {children}
    </Document>
  );
}

function VisitorBar({ assets, path }: Pick<LayoutProps, 'assets' | 'path'>) {
  return (
    <>
      <Brand href="/" assets={assets} />
      <nav class="nav" aria-label="Main">
        {visitorLinks.map(([to, label]) => (
          <a key={to} href={to} {...(path === to ? { 'aria-current': 'page' } : {})}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}

function Balance({ balance, isLow, role }: LayoutCustomer) {
  const isWarning = isLow || balance <= 0;
  const chip = isWarning ? 'chip low' : 'chip';
  const credits = `${formatCount(balance)} ${balance === 1 ? 'credit' : 'credits'}`;
  return mayOpen(role, '/dashboard/billing') ? (
    <a class={chip} href="/dashboard/billing">
      {credits}
      <span class="hidden">{isWarning ? ', running low: top up' : ', top up'}</span>
    </a>
  ) : (
    <span class={chip}>
      {credits}
      {isWarning ? <span class="hidden">, running low</span> : null}
    </span>
  );
}
