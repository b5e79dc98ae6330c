/** `gap` is hatched: nothing is there. `pending` is magenta: not yet written. `group` is a ruled heading over the rows that follow. */
export type RowLook = 'gap' | 'pending' | 'group' | undefined;

/** A row with what the table knows of it. */
export type Line<Row> = { id: string; row: Row; look: RowLook; canSelect: boolean };
