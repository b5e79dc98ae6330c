import { wordsOfValue } from '@portal/contract/value-words';
import * as z from 'zod/mini';

/**
 * Reads the cells of a line of a file by a schema. What is wrong is said in words, at the columns of the file: also where the schema itself has none.
 * @param columns names of columns that differ from those of the fields
 */
export function readRow<Schema extends z.ZodMiniType>(
  schema: Schema,
  cells: Record<string, unknown>,
  columns: Readonly<Record<string, string>> = {},
): { read: z.output<Schema>; problem: null } | { read: null; problem: string } {
  const { data, error } = z.safeParse(schema, cells, { error: wordsOfValue });
  if (!error) return { read: data as z.output<Schema>, problem: null };
  const problems = error.issues.map(({ path, message }) => {
    const field = path.join('.');
    return field === '' ? message : `${columns[field] ?? field}: ${message}`;
  });
  return { read: null, problem: problems.join('; ') };
}
