/** The frame of every page of customers and visitors: header, navigation, content and footer. */
import type { ComponentChildren } from 'preact';
import type { Contact } from '../../accounts/operator-contact.ts';
import type { Role } from '../../accounts/sql/member-rows.ts';
import type { Assets } from '../page/assets.ts';
import { mayOpen } from '../page/role-access.ts';
import { Submit } from './button.tsx';
import { ContactLink } from './contact-link.tsx';
import { Brand, Document, Navigation, type PageLink } from './document.tsx';
import { Form } from './form.tsx';
import { formatCount } from './format-values.ts';

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
  balance: number;
  isLow: boolean;
  formToken: string;
  role: Role;
}

const customerLinks: readonly PageLink[] = [
  ['/dashboard', 'Overview'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/usage', 'Usage'],
  ['/dashboard/requests', 'Requests'],
  ['/dashboard/billing', 'Billing'],
  ['/dashboard/try', 'Try it'],
  ['/docs', 'Docs'],
  ['/dashboard/account', 'Account'],
];
const visitorLinks: readonly PageLink[] = [
  ['/docs', 'Docs'],
  ['/dashboard/sign-in', 'Sign in'],
];

/** The navigation of a role; undefined for visitors. */
function linksFor(role: Role | undefined): readonly PageLink[] {
  if (role === undefined) return visitorLinks;
  return customerLinks.filter(([path]) => path === '/docs' || mayOpen(role, path));
}

export function Layout(props: LayoutProps) {
  const { title, description, assets, path, customer, isNarrow, contact, children } = props;
  const links = linksFor(customer?.role);
  return (
    <Document
      title={title}
      description={description}
      assets={assets}
      isNarrow={isNarrow}
      header={
        <>
          <Brand href={customer === undefined ? '/' : '/dashboard'} assets={assets} />
          <Navigation path={path} links={links} home="/dashboard" />
          {customer === undefined ? null : <Balance {...customer} />}
        </>
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

function Balance({ balance, isLow, formToken, role }: LayoutCustomer) {
  const isWarning = isLow || balance <= 0;
  const chip = isWarning ? 'chip low' : 'chip';
  const credits = `${formatCount(balance)} ${balance === 1 ? 'credit' : 'credits'}`;
  return (
    <div class="who">
      {mayOpen(role, '/dashboard/billing') ? (
        <a class={chip} href="/dashboard/billing">
          {credits}
          <span class="hidden">{isWarning ? ', running low: top up' : ', top up'}</span>
        </a>
      ) : (
        <span class={chip}>
          {credits}
          {isWarning ? <span class="hidden">, running low</span> : null}
        </span>
      )}
      <Form action="/dashboard/sign-out" token={formToken} class="">
        <Submit look="plain compact">Sign out</Submit>
      </Form>
    </div>
  );
}
