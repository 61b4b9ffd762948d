/** What stands where there is nothing yet: what would be here, and how it comes about. */
import type { ComponentChildren } from 'preact';

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
