/** Kinds of values in the words of people, by the names that schemas have for them. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Values named at most: where there are more, the documentation has them. */
const MAX_NAMED = 20;

/** A mistake as a schema finds it, before it has words. */
type Mistake = { code?: string; expected?: unknown; values?: readonly unknown[]; input?: unknown };

/** Says what a field takes, where a value is missing or of another kind; undefined for other mistakes. A schema with words of its own says those instead. */
export function wordsOfValue({ code, expected, values, input }: Mistake): string | undefined {
  if (code === 'invalid_union') return 'Has none of the forms that this call takes; the documentation lists them';
  const taken = takenBy(code, expected, values);
  if (input === undefined) return taken ? `Is missing; it takes ${taken}` : 'Is missing';
  return taken && `Takes ${taken}`;
}

function takenBy(code: string | undefined, expected: unknown, values: readonly unknown[] = []): string | undefined {
  if (code === 'invalid_type') return kinds[String(expected)] ?? String(expected);
  if (code !== 'invalid_value' || values.length === 0) return undefined;
  const named = values.slice(0, MAX_NAMED).map(String).join(', ');
  if (values.length === 1) return named;
  return values.length > MAX_NAMED ? `one of ${values.length} values, such as ${named}` : `one of ${named}`;
}
