/** Code with its name and, where there is JavaScript, a button that copies it. */
export interface SnippetProps {
  id: string;
  label: string;
  code: string;
  /** Lines that are too long are broken instead of scrolled. */
  isWrapped?: boolean;
}

export function Snippet({ id, label, code, isWrapped }: SnippetProps) {
  return (
    <div class="snippet">
      <div class="snippet-bar">
        <span>{label}</span>
        <CopyButton of={id} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <pre tabIndex={0} class={isWrapped ? 'wrapped' : undefined}>
        <code id={id}>{code}</code>
      </pre>
    </div>
  );
}

/** Hidden until the script says that it can copy. */
export function CopyButton({ of, what }: { of: string; what: string }) {
  return (
    <button type="button" class="button plain compact" data-copy={of} hidden>
      Copy<span class="hidden"> {what}</span>
    </button>
  );
}
