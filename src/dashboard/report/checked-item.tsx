/** A reference or a quote with its verdict, as an item of a list. */
import type { ComponentChildren } from 'preact';
import { type Checked, doubtOf, meaningOf } from '../../verify/manuscript/verdict-words.ts';

/** Marks say in a character what colors say. */
const looks = {
  wrong: { tone: 'bad', mark: '✗' },
  open: { tone: 'warn', mark: '?' },
  none: { tone: 'good', mark: '✓' },
} as const;

/** How a verdict looks: its color and its mark. */
export function lookOf(checked: Checked) {
  return looks[doubtOf(checked)];
}

export interface CheckedItemProps {
  checked: Checked;
  id?: string;
  name: string;
  children: ComponentChildren;
}

export function CheckedItem({ checked, id, name, children }: CheckedItemProps) {
  return (
    <li class="citation" id={id}>
      <h3>
        <bdi>{name}</bdi> <span class={`badge ${lookOf(checked).tone}`}>{meaningOf(checked)}</span>
      </h3>
      {children}
    </li>
  );
}
