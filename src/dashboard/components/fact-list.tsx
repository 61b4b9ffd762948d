/** Facts, such as those of a receipt, each with its lines. What has no line is left out. */
interface Fact {
  label: string;
  lines: readonly string[];
}

export function FactList({ facts }: { facts: readonly Fact[] }) {
  const written = facts.filter(({ lines }) => lines.some(Boolean));
  return (
    <dl class="facts">
      {written.flatMap(({ label, lines }) => [
        <dt key={label}>{label}</dt>,
        <dd key={`${label}:`}>
          {lines.filter(Boolean).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </dd>,
      ])}
    </dl>
  );
}
