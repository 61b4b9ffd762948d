/** Leads through a list that is read backward: to what is older, and back to the newest. */
export interface OlderPagerProps {
  path: string;
  isFirst: boolean;
  /** The number of the last one that is shown, if there are older ones. */
  next: number | undefined;
}

export function OlderPager({ path, isFirst, next }: OlderPagerProps) {
  if (isFirst && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isFirst ? (
        <span />
      ) : (
        <a class="button plain" href={path}>
          Newest
        </a>
      )}
      {next === undefined ? null : (
        <a class="button plain" href={`${path}?before=${next}`}>
          Older
        </a>
      )}
    </nav>
  );
}
