/** Returns the entries of a text, one per line or separated by commas. */
export const listedLines = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map(line => line.trim())
    .filter(line => line !== '');
