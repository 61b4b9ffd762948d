/** A message above the page content. */
import type { ComponentChildren } from 'preact';
import { sentence } from './error-view.tsx';

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

/** The same for a text, which becomes a sentence; nothing without one. */
export function Message({ tone, text }: Pick<NoticeProps, 'tone'> & { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Notice tone={tone}>
      <p>{sentence(text)}</p>
    </Notice>
  );
}
