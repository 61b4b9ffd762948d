/** A paper that was found, with its id and the link to it. `loadTex` must be awaited before. */
import { paperAddress } from '../../identity/paper-address.ts';
import { TexText } from '../components/tex-text.tsx';

export function PaperLink({ d, t }: { d: string; t: string | undefined }) {
  const url = paperAddress(d);
  const title = (
    <cite dir="auto">
      <TexText text={t ?? ''} />
    </cite>
  );
  return (
    <>
      {url === undefined ? title : <a href={url}>{title}</a>} <span class="mono">{d}</span>
    </>
  );
}
