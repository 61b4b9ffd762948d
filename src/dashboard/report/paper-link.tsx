/** A paper that was found, with its id and the link to it. */
import { paperAddress } from '../../identity/paper-address.ts';

export function PaperLink({ d, t }: { d: string; t: string | undefined }) {
  const url = paperAddress(d);
  const title = <cite dir="auto">{t}</cite>;
  return (
    <>
      {url === undefined ? title : <a href={url}>{title}</a>} <span class="mono">{d}</span>
    </>
  );
}
