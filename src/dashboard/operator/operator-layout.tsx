/** The frame of every page of the operator. */
import type { ComponentChildren } from 'preact';
import { Brand, Document } from '../components/document.tsx';
import { type LinkGroup, SideBar } from '../components/side-bar.tsx';
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

const groups: readonly LinkGroup[] = [
  {
    links: [
      { path: '/operator', label: 'Now', icon: 'pulse' },
      { path: '/operator/requests', label: 'Requests', icon: 'list' },
      { path: '/operator/customers', label: 'Customers', icon: 'customers' },
      { path: '/operator/money', label: 'Money', icon: 'money' },
    ],
  },
  {
    title: 'Papers',
    links: [
      { path: '/operator/index', label: 'Index', icon: 'papers' },
      { path: '/operator/questions', label: 'Questions', icon: 'question' },
      { path: '/operator/explain', label: 'Explain', icon: 'search' },
    ],
  },
  {
    title: 'Operators',
    links: [
      { path: '/operator/alerts', label: 'Alerts', icon: 'bell' },
      { path: '/operator/trail', label: 'Trail', icon: 'trail' },
    ],
  },
];

export function OperatorLayout(props: OperatorLayoutProps) {
  const { title, assets, path, actor, signOutToken, isNarrow, children } = props;
  return (
    <Document
      title={`${title} · Operator`}
      assets={assets}
      scripts={[assets.operatorScript]}
      isNarrow={isNarrow}
      isSided={actor !== undefined}
      header={
        actor === undefined ? (
          <Brand href="/operator" assets={assets} />
        ) : (
          <SideBar
            assets={assets}
            path={path}
            groups={groups}
            home="/operator"
            signOut={
              signOutToken === undefined
                ? undefined
                : { action: '/operator/sign-out', token: signOutToken }
            }
          >
            <Who actor={actor} isSignedIn={signOutToken !== undefined} />
          </SideBar>
        )
      }
      footer={<span>Operator pages. Customers never see them.</span>}
    >
      {children}
    </Document>
  );
}

function Who({ actor, isSignedIn }: { actor: string; isSignedIn: boolean }) {
  if (!isSignedIn) {
    return <span class="chip">{actor === 'loopback' ? 'Operator, this machine' : actor}</span>;
  }
  return (
    <a class="chip" href="/operator/account">
      {actor}
      <span class="hidden">, your account</span>
    </a>
  );
}
