/** The frame of every page of the operator. */
import type { ComponentChildren } from 'preact';
import { Brand, Document, Navigation, type PageLink } from '../components/document.tsx';
import { Form } from '../components/form.tsx';
import type { Assets } from '../page/assets.ts';

export interface OperatorLayoutProps {
  title: string;
  assets: Assets;
  path: string;
  /** Who is there; undefined for somebody on the way in. */
  actor: string | undefined;
  /** For the form that signs out; undefined where nobody is signed in. */
  signOutToken: string | undefined;
  isNarrow: boolean;
  children: ComponentChildren;
}

const links: readonly PageLink[] = [
  ['/operator', 'Now'],
  ['/operator/customers', 'Customers'],
  ['/operator/requests', 'Requests'],
  ['/operator/money', 'Money'],
  ['/operator/index', 'Index'],
  ['/operator/questions', 'Questions'],
  ['/operator/alerts', 'Alerts'],
  ['/operator/trail', 'Trail'],
];

export function OperatorLayout(props: OperatorLayoutProps) {
  const { title, assets, path, actor, signOutToken, isNarrow, children } = props;
  return (
    <Document
      title={`${title} · Operator`}
      assets={assets}
      scripts={[assets.operatorScript]}
      isNarrow={isNarrow}
      header={
        <>
          <Brand href="/operator" assets={assets} />
          {actor === undefined ? null : (
            <>
              <Navigation path={path} links={links} home="/operator" />
              <Who actor={actor} signOutToken={signOutToken} />
            </>
          )}
        </>
      }
      footer={<span>Operator pages. Customers never see them.</span>}
    >
      {children}
    </Document>
  );
}

function Who({ actor, signOutToken }: { actor: string; signOutToken: string | undefined }) {
  if (signOutToken === undefined) {
    return (
      <div class="who">
        <span class="chip">{actor === 'loopback' ? 'Operator, this machine' : actor}</span>
      </div>
    );
  }
  return (
    <div class="who">
      <a class="chip" href="/operator/account">
        {actor}
        <span class="hidden">, your account</span>
      </a>
      <Form action="/operator/sign-out" token={signOutToken} class="">
        <button class="button plain compact" type="submit">
          Sign out
        </button>
      </Form>
    </div>
  );
}
