/** README's links lead to other sections of README. */
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** Text in which code stands between backticks, as README has it. */
export function RichText({ text }: { text: string }) {
  const pieces = text.replace(LINK, '$1').split('`');
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? <code key={String(index)}>{piece}</code> : piece,
      )}
    </>
  );
}
