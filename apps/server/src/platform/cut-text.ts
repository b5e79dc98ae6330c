/** A text of a stranger, as much of it as a sentence or an answer quotes. @param most characters */
export const cutText = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…`.toWellFormed() : text);

/** The cells of a row, each cut: what an answer shows of them. */
export const cutCells = (cells: Record<string, string>, most = 200): Record<string, string> =>
  Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cutText(cell, most)]));
