/** Buttons that send a form, and links that look like them. */
import type { ComponentChildren } from 'preact';

export interface SubmitProps {
  /** How it looks unless it is the next step. */
  look?: 'plain' | 'danger' | 'plain compact';
  /** With `value`, tells the form which of its buttons was pressed. */
  name?: string;
  value?: string;
  children: ComponentChildren;
}

export function Submit({ look, children, ...named }: SubmitProps) {
  return (
    <button class={look === undefined ? 'button' : `button ${look}`} type="submit" {...named}>
      {children}
    </button>
  );
}

interface LinkProps {
  href: string;
  children: ComponentChildren;
}

export function ButtonLink({ href, children }: LinkProps) {
  return (
    <a class="button" href={href}>
      {children}
    </a>
  );
}

/** The same for what is not the next step. */
export function PlainLink({ href, children }: LinkProps) {
  return (
    <a class="button plain" href={href}>
      {children}
    </a>
  );
}
