/** An empty state: what will be here, and how to get it. */
import type { ComponentChildren } from 'preact';

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
