/** Facts of a receipt, such as an address, each with its lines. Empty lines are left out. */
interface Fact {
  label: string;
  lines: readonly string[];
}

export function ReceiptFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.flatMap(({ label, lines }) => [
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
