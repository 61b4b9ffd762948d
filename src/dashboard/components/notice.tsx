/** A message above the page content. */
import type { ComponentChildren } from 'preact';

export interface NoticeProps {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  children: ComponentChildren;
}

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
