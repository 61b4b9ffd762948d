/** A figure with its label, one item of a `<dl class="tiles">`. */
export interface TileProps {
  label: string;
  value: string;
  /** The unit, or what else there is to say. */
  note?: string;
  isFirst?: boolean;
}

export function Tile({ label, value, note, isFirst = false }: TileProps) {
  return (
    <div class={isFirst ? 'tile first' : 'tile'}>
      <dt>{label}</dt>
      <dd class="figure">{value}</dd>
      {note === undefined ? null : <dd class="small soft">{note}</dd>}
    </div>
  );
}
