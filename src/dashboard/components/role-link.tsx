/** A link for members whose role may open its page. Others see nothing, or the words without the link. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Role } from '../../accounts/sql/member-rows.ts';
import { mayOpen } from '../page/role-access.ts';

/** The role of the member who sees the page. Visitors see every link: it leads to the sign-in page. */
export const RoleContext = createContext<Role>('owner');

export interface RoleLinkProps {
  href: string;
  class?: string;
  children: ComponentChildren;
  /** Whether the words stay without the link. */
  keepsWords?: boolean;
  /** Whether the page is this one. */
  isCurrent?: boolean;
}

export function RoleLink(props: RoleLinkProps) {
  const { href, class: className, children, keepsWords = false, isCurrent = false } = props;
  if (mayOpen(useContext(RoleContext), href)) {
    return (
      <a class={className} href={href} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
        {children}
      </a>
    );
  }
  return keepsWords ? <span class={className}>{children}</span> : null;
}
