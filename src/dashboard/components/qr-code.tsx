/** A QR code as inline SVG: dark squares on white in either scheme, because cameras expect that. */
import encodeQR from 'qr';

/** The white margin that the standard asks for, in squares. */
const MARGIN = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN });
  const size = rows.length;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.map(pathOfRow).join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** Returns the dark runs of a row as rectangles. */
function pathOfRow(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    const start = x;
    while (row[x]) x++;
    if (x > start) path += `M${start} ${y}h${x - start}v1H${start}z`;
  }
  return path;
}
