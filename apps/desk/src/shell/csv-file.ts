/** A cell of CSV (RFC 4180). A name that a spreadsheet would calculate begins with an apostrophe there. */
const cell = (text: string): string => `"${text.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;

/** Returns lines of cells as CSV. */
export const csvOf = (lines: readonly (readonly string[])[]): string => lines.map(line => `${line.map(cell).join(',')}\r\n`).join('');
