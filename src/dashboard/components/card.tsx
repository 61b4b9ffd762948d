/** A section of a page in a frame of its own, with its heading. */
import type { ComponentChildren } from 'preact';

export interface CardProps {
  /** The id of the heading. */
  id: string;
  title: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ id, title, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
