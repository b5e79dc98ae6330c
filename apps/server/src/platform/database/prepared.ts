const names = new Map<string, string>();

/**
 * Marks a statement that is sent again and again: each connection has it parsed and planned once, for tables as large as they are then.
 * So only for one whose plan does not change with that. Answers its text.
 */
export function prepared(text: string): string {
  names.set(text, `prepared_${names.size}`);
  return text;
}

export const preparedName = (text: string): string | undefined => names.get(text);
