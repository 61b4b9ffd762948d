/** Reads the lines of Zotero's field "Extra", which holds what an item has no field for. Pure. */

/** Returns a function for the values in the lines of a text: '' if none has the name. */
export function extraOf(text: string): (name: string) => string {
  const lines = text.split('\n').map((line) => line.trim());
  return (name) => {
    const line =
      lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? '';
    // An arXiv id is written with its name.
    return name === 'arXiv' ? line : line.slice(name.length + 1).trim();
  };
}
