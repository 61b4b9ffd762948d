/** The frame of every page of the operator. */
import type { ComponentChildren } from 'preact';
import { Brand, Document, Navigation, type PageLink } from '../components/document.tsx';
import type { Assets } from '../page/assets.ts';

export interface OperatorLayoutProps {
  title: string;
  assets: Assets;
  path: string;
  /** Who is there. */
  actor: string;
  isNarrow: boolean;
  children: ComponentChildren;
}

const links: readonly PageLink[] = [
  ['/operator', 'Now'],
  ['/operator/customers', 'Customers'],
  ['/operator/money', 'Money'],
  ['/operator/index', 'Index'],
  ['/operator/questions', 'Questions'],
  ['/operator/trail', 'Trail'],
];

export function OperatorLayout(props: OperatorLayoutProps) {
  const { title, assets, path, actor, isNarrow, children } = props;
  return (
    <Document
      title={`${title} · Operator`}
      assets={assets}
      scripts={[assets.operatorScript]}
      isNarrow={isNarrow}
      header={
        <>
          <Brand href="/operator" assets={assets} />
          <Navigation path={path} links={links} home="/operator" />
          <div class="who">
            <span class="chip">{actor === 'loopback' ? 'Operator, this machine' : actor}</span>
          </div>
        </>
      }
      footer={<span>Pages of the operator. Customers never see them.</span>}
    >
      {children}
    </Document>
  );
}
