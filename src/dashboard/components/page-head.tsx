/** The heading of a page, with an introduction and an action. */
import type { ComponentChildren } from 'preact';

export interface PageHeadProps {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}

export function PageHead({ title, children, action }: PageHeadProps) {
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {action}
    </div>
  );
}
