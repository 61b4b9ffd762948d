/** Small drawings beside words, in the color of the words. Screen readers skip them. */

/** The strokes of each icon, in a square of 16. */
const strokes = {
  account: 'M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M3 13.5c0-3 2-4 5-4s5 1 5 4',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.5 1.5h-11zM6.8 14.2h2.4',
  billing: 'M2 3.5h12v9H2zM2 6.5h12M4.5 10h3',
  book: 'M3.5 2.5H12.5v11h-9zM3.5 11h9M6 5h4',
  customers:
    'M6 3a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 6 3M1.5 13c0-2.5 1.8-3.5 4.5-3.5s4.5 1 4.5 3.5M10.5 3.2a2.2 2.2 0 0 1 0 4M12 9.8c1.6.4 2.5 1.4 2.5 3.2',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8.3 7.7l-5.8 5.8M4.5 11.5l1.8 1.8',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h0M2.5 8h0M2.5 12h0',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  money:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5v7M10 6.2c-.5-1.1-4-1.2-4 .4 0 1.8 4 1 4 2.8 0 1.6-3.5 1.5-4 .4',
  overview: 'M2.5 7.5 8 3l5.5 4.5M4 6.5v7h8v-7M6.5 13.5v-4h3v4',
  papers: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  question:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6.2 6.5c0-2.2 3.6-2.2 3.6 0C9.8 8 8 7.9 8 9.4M8 11.5h0',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3l3.2 3.2',
  signOut: 'M6 2.5H2.5v11H6M6.5 8h7M11 5.5 13.5 8 11 10.5',
  trail: 'M8 4.5V8l2.5 1.5M2.5 8A5.5 5.5 0 1 0 4 4.2M2.5 2.5v3h3',
  usage: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
} as const;

export type IconName = keyof typeof strokes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}
