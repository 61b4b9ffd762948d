/**
 * A part of a page that the script renews. When the page no longer has one, because what it shows has
 * ended, the script loads the page again. Without the script, people reload the page.
 */
import type { ComponentChildren } from 'preact';

export interface LiveProps {
  everySeconds: number;
  children: ComponentChildren;
}

export function Live({ everySeconds, children }: LiveProps) {
  return (
    <div class="stack loose" id="live" data-every-seconds={String(everySeconds)}>
      {children}
    </div>
  );
}
