/** Readable names of value types, by their names in schemas. */
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

/** Maximum number of values listed: the documentation has the rest. */
const MAX_NAMED = 20;

/** A schema issue, before it has a message. */
type Mistake = {
  code?: string;
  expected?: unknown;
  values?: readonly unknown[];
  input?: unknown;
  origin?: string;
  maximum?: number | bigint;
  minimum?: number | bigint;
};

/** Nouns for lengths, by the type of the value; a number needs none. */
const counted: Readonly<Record<string, string>> = { string: 'character', array: 'entry', set: 'entry' };

/**
 * Returns what a field accepts, if a value is missing, of the wrong type, too long or too short; undefined for other issues. A schema's own message takes
 * precedence.
 */
export function wordsOfValue({ code, expected, values, input, origin, maximum, minimum }: Mistake): string | undefined {
  if (code === 'too_big') return `Takes at most ${amount(maximum, origin)}`;
  if (code === 'too_small') return `Takes at least ${amount(minimum, origin)}`;
  if (code === 'invalid_union') return 'Has none of the forms that this call takes; the documentation lists them';
  const taken = takenBy(code, expected, values);
  if (input === undefined) return taken ? `Is missing; it takes ${taken}` : 'Is missing';
  return taken && `Takes ${taken}`;
}

function amount(bound: number | bigint = 0, origin = ''): string {
  const noun = counted[origin];
  if (noun === undefined) return String(bound);
  return `${bound} ${Number(bound) === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`;
}

function takenBy(code: string | undefined, expected: unknown, values: readonly unknown[] = []): string | undefined {
  if (code === 'invalid_type') return kinds[String(expected)] ?? String(expected);
  if (code !== 'invalid_value' || values.length === 0) return undefined;
  const named = values.slice(0, MAX_NAMED).map(String).join(', ');
  if (values.length === 1) return named;
  return values.length > MAX_NAMED ? `one of ${values.length} values, such as ${named}` : `one of ${named}`;
}
