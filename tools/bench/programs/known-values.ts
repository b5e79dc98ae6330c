import type { Endpoint } from '@portal/contract';

type Schema = NonNullable<Endpoint['query']>;
type Definition = {
  type: string;
  shape?: Record<string, Schema>;
  innerType?: Schema;
  in?: Schema;
  options?: readonly Schema[];
  entries?: Record<string, string>;
  values?: readonly unknown[];
};
const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** The values that a field of a query lists: those of its enumeration, through what makes it optional, gives it a default or reads it. */
function listedValues(schema: Schema): string[] {
  const { type, innerType, in: read, options, entries, values } = definitionOf(schema);
  if (type === 'enum') return Object.values(entries ?? {}).map(String);
  if (type === 'literal') return (values ?? []).map(String);
  if (type === 'union') return (options ?? []).flatMap(listedValues);
  return innerType ? listedValues(innerType) : read ? listedValues(read) : [];
}

const isOptional = (schema: Schema): boolean => {
  const { type, innerType, in: read } = definitionOf(schema);
  return (
    type === 'optional' ||
    type === 'default' ||
    type === 'prefault' ||
    type === 'catch' ||
    ((innerType ?? read) ? isOptional((innerType ?? read)!) : false)
  );
};

/** The fields of a call's query. */
const fieldsOf = ({ query }: Pick<Endpoint, 'query'>): Record<string, Schema> =>
  query === undefined ? {} : (definitionOf(query).shape ?? {});

/** Values of a name that answers have shown so far are enough to ask for one of each kind. */
const MAX_VALUES = 3;

/** Values that answers gave for names of parameters (`invoiceNumber`, `ticketId`), by account, so that the calls that need them can be made. */
export class KnownValues {
  readonly #values = new Map<string, Set<string>>();

  /** Notes each field of an answer whose value may stand in an address. */
  note(account: string | null, answer: unknown): void {
    if (Array.isArray(answer)) for (const each of answer.slice(0, MAX_VALUES)) this.note(account, each);
    else if (typeof answer === 'object' && answer !== null)
      for (const [name, value] of Object.entries(answer)) {
        if (typeof value === 'string' || typeof value === 'number') this.add(account, name, String(value));
        else this.note(account, value);
      }
  }

  add(account: string | null, name: string, value: string): void {
    const key = `${account ?? ''} ${name}`;
    const known = this.#values.get(key) ?? new Set();
    if (known.size < MAX_VALUES && value !== '') this.#values.set(key, known.add(value));
  }

  of(account: string | null, name: string): string[] {
    return [...(this.#values.get(`${account ?? ''} ${name}`) ?? [])];
  }
}

/**
 * The queries to make of a call: the plain one with the first value of each field it requires; and of it, one for each listed value of each field (filters,
 * columns to sort by, both directions), a word that finds nothing, and the longest page.
 * @returns null where a required field has no value that is known
 */
export function queriesOf(endpoint: Pick<Endpoint, 'query'>, valuesOf: (name: string) => readonly string[]): URLSearchParams[] | null {
  const plain: Record<string, string> = {};
  const fields = Object.entries(fieldsOf(endpoint));
  for (const [name, schema] of fields) {
    if (isOptional(schema)) continue;
    const [value] = [...listedValues(schema), ...valuesOf(name)];
    if (value === undefined) return null;
    plain[name] = value;
  }
  const queries = [new URLSearchParams(plain)];
  for (const [name, schema] of fields) {
    const listed = listedValues(schema).filter(value => value !== plain[name]);
    const others = name === 'q' ? ['qqnothinghere', 'example'] : name === 'limit' ? ['200'] : [];
    for (const value of [...listed, ...others]) queries.push(new URLSearchParams({ ...plain, [name]: value }));
    if (name === 'sort') for (const value of listed) queries.push(new URLSearchParams({ ...plain, sort: value, direction: 'desc' }));
  }
  return queries;
}
