/**
 * The navigation of those who are signed in. It stands beside the page where there is room for it.
 * Elsewhere it is a sheet that a button opens; the browser does that without a script. A browser that
 * does not know `popover` always shows it.
 */
import type { ComponentChildren } from 'preact';
import type { Assets } from '../page/assets.ts';
import { Brand } from './document.tsx';
import { Form } from './form.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface SideLink {
  path: string;
  label: string;
  icon: IconName;
}

/** Links that belong together. The first group has no title. */
export interface LinkGroup {
  title?: string | undefined;
  links: readonly SideLink[];
}

export interface SideBarProps {
  assets: Assets;
  /** Of the page that is shown. */
  path: string;
  groups: readonly LinkGroup[];
  /** The link whose pages below it have links of their own. */
  home: string;
  /** How to sign out; undefined where nobody is signed in. */
  signOut: { action: string; token: string } | undefined;
  /** What is always seen: the balance, or who is there. */
  children: ComponentChildren;
}

export function SideBar({ assets, path, groups, home, signOut, children }: SideBarProps) {
  const isAt = (to: string): boolean => path === to || (to !== home && path.startsWith(`${to}/`));
  return (
    <>
      <Brand href={home} assets={assets} />
      {children}
      <button class="button plain menu" type="button" popovertarget="navigation">
        <Icon name="menu" />
        Menu
      </button>
      <nav class="nav" id="navigation" popover="auto" aria-label="Main">
        {groups.map(({ title, links }) => (
          <div key={title}>
            {title === undefined ? null : (
              <p class="nav-title">
                <bdi>{title}</bdi>
              </p>
            )}
            {links.map(({ path: to, label, icon }) => (
              <a key={to} href={to} {...(isAt(to) ? { 'aria-current': 'page' } : {})}>
                <Icon name={icon} />
                {label}
              </a>
            ))}
          </div>
        ))}
        {signOut === undefined ? null : (
          <Form {...signOut} class="nav-end">
            <button type="submit">
              <Icon name="signOut" />
              Sign out
            </button>
          </Form>
        )}
      </nav>
    </>
  );
}
