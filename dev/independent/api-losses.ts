type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
};
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = { requestBody?: Content; responses?: Record<string, Content> };
export type OpenApi = { paths: Record<string, Record<string, Operation>>; components?: { schemas?: Record<string, Schema> } };

/**
 * Returns what an open tab of the release before would miss, by two descriptions of the API: a call that is gone, a field that an answer always had, a
 * field that a call now needs.
 */
export function losses(before: OpenApi, after: OpenApi): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) return [`${place} is gone`];
      const answered = ([from, to]: [Operation, Operation]) =>
        lostFields([jsonOf(from.responses?.['200']), before], [jsonOf(to.responses?.['200']), after], '');
      // What a tab sends has to be all that is needed.
      const needed = lostFields([jsonOf(now.requestBody), after], [jsonOf(old.requestBody), before], '');
      return [
        ...answered([old, now]).map(field => `${place} doesn't answer ${field} any more`),
        ...needed.map(field => `${place} needs ${field}`),
      ];
    }),
  );
}

const jsonOf = (of: Content | undefined): Schema | undefined => of?.content?.['application/json']?.schema;
const resolved = (schema: Schema | undefined, of: OpenApi): Schema | undefined =>
  schema?.$ref ? of.components?.schemas?.[schema.$ref.split('/').at(-1)!] : schema;

/** The fields that are always there by the first schema and not known to the second one; alternatives are left out. */
function lostFields(
  [given, of]: [Schema | undefined, OpenApi],
  [taken, by]: [Schema | undefined, OpenApi],
  place: string,
  depth = 0,
): string[] {
  const [from, to] = [resolved(given, of), resolved(taken, by)];
  if (!from || !to || depth > 12) return [];
  if (from.items && to.items) return lostFields([from.items, of], [to.items, by], `${place}[]`, depth + 1);
  if (!from.properties || !to.properties) return [];
  return (from.required ?? []).flatMap(name => {
    const field = place === '' ? name : `${place}.${name}`;
    const known = to.properties![name];
    return known ? lostFields([from.properties![name], of], [known, by], field, depth + 1) : [field];
  });
}
