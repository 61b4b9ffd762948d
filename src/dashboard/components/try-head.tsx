/** What both tabs of the page Try it show above their forms. */
import type { ComponentChildren } from 'preact';
import { ButtonLink } from './button.tsx';
import { Empty } from './empty.tsx';
import { Notice } from './notice.tsx';
import { PageHead } from './page-head.tsx';

const tabs = [
  { path: '/dashboard/try', label: 'Search' },
  { path: '/dashboard/try/references', label: 'References' },
] as const;

export interface TryHeadProps {
  /** The path of the tab. */
  path: (typeof tabs)[number]['path'];
  /** The introduction below the heading. */
  children?: ComponentChildren;
}

export function TryHead({ path: current, children }: TryHeadProps) {
  return (
    <>
      <PageHead title="Try it">{children}</PageHead>
      <nav class="sections" aria-label="Try it">
        {tabs.map(({ path, label }) => (
          <a key={path} href={path} {...(path === current ? { 'aria-current': 'page' } : {})}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}

/** Why a call failed, which costs nothing. */
export function NotCharged({ status, message }: { status: number; message: string }) {
  return (
    <Notice tone="bad">
      <p>
        <strong>{status}</strong> {message}. You were not charged.
      </p>
    </Notice>
  );
}

export function KeyNeeded({ what }: { what: string }) {
  return (
    <Empty title={`${what} needs a key`}>
      <p>Create a key first. This page uses its credit and its limits.</p>
      <ButtonLink href="/dashboard/keys">Create a key</ButtonLink>
    </Empty>
  );
}
