/**
 * What a browser calls itself, as people say it: `Firefox on Linux`. Only these words are stored, never
 * the header. Pure.
 */

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** In this order, because many also claim to be those below them. */
const browsers: Names = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
  [/^(curl|Wget)\//, 'A command line'],
];
const systems: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
/** No header of a browser is longer. */
const CHARACTERS_READ = 512;

/** Returns the browser and its system from a `User-Agent` header. */
export function describeDevice(userAgent: string): string {
  const text = userAgent.slice(0, CHARACTERS_READ);
  const nameIn = (names: Names) => names.find(([pattern]) => pattern.test(text))?.[1];
  const system = nameIn(systems);
  return `${nameIn(browsers) ?? 'Unknown browser'}${system === undefined ? '' : ` on ${system}`}`;
}
