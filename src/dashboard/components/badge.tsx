/** A word in a frame that follows other words. */
import type { ComponentChildren } from 'preact';

export function Badge({ tone, children }: { tone?: 'good' | 'warn'; children: ComponentChildren }) {
  return (
    <>
      {' '}
      <span class={tone === undefined ? 'badge' : `badge ${tone}`}>{children}</span>
    </>
  );
}
