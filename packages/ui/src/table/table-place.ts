/** A cell of a grid, counted from 0. */
export type Place = { row: number; column: number };

/** The place that a key leads to in a grid, held inside it; null for a key that does not move. @param far with Ctrl or Cmd: Home and End go to the first and last row */
export function placeAfter(key: string, { row, column }: Place, rows: number, columns: number, far: boolean): Place | null {
  const to = (nextRow: number, nextColumn: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'PageDown':
      return to(row + 10, column);
    case 'PageUp':
      return to(row - 10, column);
    case 'Home':
      return to(far ? 0 : row, 0);
    case 'End':
      return to(far ? rows - 1 : row, columns - 1);
    default:
      return null;
  }
}
