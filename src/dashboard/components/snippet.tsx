/** Code with a label and, if JavaScript runs, a copy button. */
export interface SnippetProps {
  id: string;
  label: string;
  code: string;
  /** Wraps long lines instead of scrolling them. */
  isWrapped?: boolean;
  /** Shows the label to screen readers only, because something above says the same. */
  isLabelHidden?: boolean;
}

export function Snippet({ id, label, code, isWrapped, isLabelHidden }: SnippetProps) {
  return (
    <div class="snippet">
      <div class="snippet-bar">
        <span class={isLabelHidden ? 'hidden' : undefined}>{label}</span>
        <CopyButton of={id} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <pre tabIndex={0} class={isWrapped ? 'wrapped' : undefined}>
        <code id={id}>{code}</code>
      </pre>
    </div>
  );
}

/** A copy button, hidden until the script finds that it can copy. */
export function CopyButton({ of, what }: { of: string; what: string }) {
  return (
    <button type="button" class="button plain compact" data-copy={of} hidden>
      <span class="word" data-done="Copied" data-failed="Selected">
        Copy
      </span>
      <span class="hidden"> {what}</span>
    </button>
  );
}
