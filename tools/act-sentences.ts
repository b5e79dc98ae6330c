import type { Endpoint } from '../packages/contract/src/index.ts';

type Definition = { shape?: Record<string, Schema>; options?: Schema[]; innerType?: Schema; in?: Schema };
type Schema = { _zod?: { def: Definition } };

/** Returns the paths of fields of a body, of all its forms, `values.title` included. */
function fieldsOf(schema: Schema | undefined, depth = 0): string[] {
  const definition = schema?._zod?.def;
  if (!definition || depth > 6) return [];
  const own = Object.entries(definition.shape ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldsOf(field, depth + 1).map(each => `${name}.${each}`),
  ]);
  return [...own, ...[...(definition.options ?? []), definition.innerType, definition.in].flatMap(each => fieldsOf(each, depth + 1))];
}

type Sentences = Readonly<Record<string, string>>;
type Part = { written: string; field: string; thing?: string };

/**
 * Returns what is wrong with the sentences of acts: a change that takes a second factor given just now and has none, one that no such change has, and parts that
 * stand for nothing the call is sent, or for an id that no person knows.
 */
export function sentenceFindings(
  asked: readonly Pick<Endpoint, 'id' | 'path' | 'body'>[],
  sentences: Sentences,
  { partsOf, things }: { partsOf: (sentence: string) => readonly Part[]; things: readonly string[] },
): string[] {
  const known = new Set(asked.map(({ id }) => id));
  const where = 'packages/contract/src/act-sentences.ts';
  const needless = Object.keys(sentences).filter(id => !known.has(id));
  return [
    ...needless.map(id => `${where}: ${id} is no change that takes a second factor given just now`),
    ...asked.flatMap(({ id, path, body }) => {
      const sentence = sentences[id];
      if (sentence === undefined)
        return [`${where}: ${id} has no sentence: what does it do, to what? Its person is asked about it in these words`];
      const given = [...[...path.matchAll(/:(\w+)/g)].map(([, name]) => name!), ...fieldsOf(body as Schema)];
      return partsOf(sentence).flatMap(({ written, field, thing }) => [
        ...(given.includes(field) ? [] : [`${where}: ${id} is sent no ${field}, which ${written} stands for`]),
        ...(thing === undefined || things.includes(thing)
          ? []
          : [`${where}: ${id}: ${written}: no module names things of the kind “${thing}”`]),
        ...(thing === undefined && written === `{${field}}` && field.endsWith('Id')
          ? [`${where}: ${id}: no person knows the id ${written}; write what it stands for, such as {contact:${field}}`]
          : []),
      ]);
    }),
  ];
}

/** Checks the sentences of all acts. */
export async function checkActSentences(): Promise<string[]> {
  const [{ allEndpoints }, { consequencesOf }, { actSentences, namedThings, partsOf }] = await Promise.all([
    import('../packages/contract/src/api.ts'),
    import('../packages/contract/src/effects.ts'),
    import('../packages/contract/src/act-sentences.ts'),
  ]);
  const asked = allEndpoints.filter(endpoint => endpoint.access.who !== 'anyone' && consequencesOf(endpoint).factor === 'fresh');
  return sentenceFindings(asked, actSentences, { partsOf, things: namedThings });
}
