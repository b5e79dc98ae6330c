/** Returns what is listed in a text, one a line or separated by commas. */
export const listedLines = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map(line => line.trim())
    .filter(line => line !== '');
