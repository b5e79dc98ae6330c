import * as z from 'zod/mini';

/** Digits, of fewer places than the largest number that a column or a program keeps exactly. */
const ROW_ID = /^\d{1,15}$/;

/** Whether a text is the id of a row. What is none belongs to nothing: it is answered as an unknown one. */
export const isRowId = (text: string): boolean => ROW_ID.test(text);

/** The number of the row with this id; null for a text that is none. */
export const rowNumber = (id: string): number | null => (isRowId(id) ? Number(id) : null);

/** The id of a row, in a body or query. @param error says what to choose or enter instead of what is none */
export const rowId = (error?: string) => z.string().check(z.regex(ROW_ID, error === undefined ? {} : { error }));
