import type { Endpoint } from '@portal/contract';
import { actSentences, filledIn, type NamedThing, partsOf } from '@portal/contract/act-sentences';
import { isRowId } from '@portal/contract/row-ids';
import type { Read, Tables } from './database/index.ts';

/** The id of a thing, and who makes the call. Only things of `account` are named, those of registry staff's calls (`asStaff`) all. */
type Named<Id> = { read: Read; id: Id; account: string | null; asStaff: boolean };

/** Returns the name of what an id stands for; null if there is no such thing. */
export type NameOf = (named: Named<string>) => Promise<string | null>;

/** Things that a module names in the question about an act (`act-sentences.ts` of the contract). */
export type ActNames = Partial<Readonly<Record<NamedThing, NameOf>>>;

const shapes = { number: { test: isRowId }, uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, word: /^.{1,100}$/ } as const;

/** Where a name is: a column of the row with this id. The owner is the column with its account; null where rows have none, and only registry staff name them. */
type NamedRow<Table extends keyof Tables> = {
  id: keyof Tables[Table] & string;
  name: keyof Tables[Table] & string;
  owner: (keyof Tables[Table] & string) | null;
  /** The shape of its ids; without it numbers. */
  ids?: keyof typeof shapes;
};

/** Returns how things of a table are named. */
export const nameIn =
  <Table extends keyof Tables>(table: Table, { id: idColumn, name, owner, ids = 'number' }: NamedRow<Table>): NameOf =>
  async ({ read, id, account, asStaff }) => {
    if (!shapes[ids].test(id) || (!asStaff && owner === null)) return null;
    const named = read
      .selectFrom(table as 'webhook')
      .select(name as 'label')
      .where(idColumn as 'label', '=', id);
    const row = (await (asStaff ? named : named.where(owner as 'accountName', '=', account)).executeTakeFirst()) as
      | Record<string, unknown>
      | undefined;
    const found = row?.[name];
    return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
  };

/** Returns how things are named whose ids are numbers. */
export const nameById =
  (find: (named: Named<number>) => Promise<string | null | undefined>): NameOf =>
  async ({ id, ...more }) =>
    shapes.number.test(id) ? ((await find({ ...more, id: Number(id) })) ?? null) : null;

/** The input of a call, as it was sent. */
export type SentInput = { params: unknown; query: unknown; body: unknown };

/**
 * Returns the sentence of a call with the names of what it is about, as its caller may know them: it was admitted but for the second factor. Null where the call has no sentence, or
 * something in it is missing.
 */
export type SayAct = (call: { endpoint: Endpoint; account: string | null; input: SentInput }) => Promise<string | null>;

/** Returns the field of an input at a path such as `values.title`. */
const fieldIn = (input: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (value: unknown, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
      input,
    );

/** Returns what says acts. @throws Error if two modules name the same things */
export function openActSentences(modules: readonly { name: string; actNames?: ActNames }[], read: () => Read): SayAct {
  const names = new Map<string, NameOf>();
  for (const { name, actNames = {} } of modules)
    for (const [thing, nameOf] of Object.entries(actNames)) {
      if (names.has(thing)) throw new Error(`Two modules name things of the kind "${thing}"; one of them is ${name}`);
      names.set(thing, nameOf);
    }
  return async ({ endpoint, account, input }) => {
    const sentence = actSentences[endpoint.id];
    if (sentence === undefined) return null;
    const given = (field: string): unknown => fieldIn(input.body, field) ?? fieldIn(input.params, field);
    const asStaff = endpoint.access.who === 'staff';
    const found = await Promise.all(
      partsOf(sentence).map(async ({ written, field, thing }) => {
        const id = given(field);
        if (thing === undefined || !['string', 'number'].includes(typeof id)) return [written, null] as const;
        return [written, (await names.get(thing)?.({ read: read(), id: String(id), account, asStaff })) ?? null] as const;
      }),
    );
    return filledIn(sentence, given, new Map(found));
  };
}
