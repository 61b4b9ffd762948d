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
        <h1>{withWholeWords(title)}</h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {action}
    </div>
  );
}

/** Words with a hyphen, such as `sign-in?`. Longer ones, such as addresses, may break. */
const HYPHENATED = /(?<!\S)([A-Za-z]{1,12}-[A-Za-z]{1,12}[.?]?)(?!\S)/;

/** Keeps short words with a hyphen on one line. */
function withWholeWords(title: string): ComponentChildren {
  return title.split(HYPHENATED).map((part, index) =>
    // The pattern's group is at every second place.
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} class="whole">
        {part}
      </span>
    ),
  );
}
