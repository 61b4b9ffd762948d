/** The frame of the pages under Account: heading, sections, and what was done. */
import type { ComponentChildren } from 'preact';
import type { View } from '../page/page.ts';
import { Message } from './notice.tsx';
import { PageHead } from './page-head.tsx';
import { RoleLink } from './role-link.tsx';

const sections = [
  { path: '/dashboard/account', label: 'General' },
  { path: '/dashboard/account/security', label: 'Security' },
  { path: '/dashboard/account/members', label: 'Members' },
  { path: '/dashboard/account/data', label: 'Data' },
] as const;

export interface AccountPageProps {
  /** The path of the section. */
  section: (typeof sections)[number]['path'];
  /** The introduction below the heading. */
  intro: ComponentChildren;
  /** What was done, on the page after a form. */
  note?: string | undefined;
  children: ComponentChildren;
}

/** Returns the view of a section. */
export function accountView({ section, intro, note, children }: AccountPageProps): View {
  const label = sections.find(({ path }) => path === section)?.label ?? '';
  return {
    title: `${label} · Account`,
    main: (
      <>
        <PageHead title="Account">{intro}</PageHead>
        <nav class="sections" aria-label="Account">
          {sections.map(({ path, label }) => (
            <RoleLink key={path} href={path} isCurrent={path === section}>
              {label}
            </RoleLink>
          ))}
        </nav>
        <Message tone="good" text={note} />
        {children}
      </>
    ),
  };
}
