import { registryApiBase } from '@portal/contract/registry-api-paths';
import type { Description } from './description.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
};

/** Maximum depth of listed fields, for recursive schemas. */
const DEEPEST = 6;

/**
 * Returns everything that a client can rely on, a line each, in order: `GET /tasks 200 rows[].taskId integer`. Input lists what a call accepts, and which of it
 * is required; output lists the fields; where there are only certain values, each has a line, `GET /activity 200 lines[].actor.kind = contact`. The promise holds as
 * long as no line is removed: a field that becomes required changes its line, and a value that is renamed loses one.
 */
export function promisesOf({ paths, components }: Description): string[] {
  const lines: string[] = [];
  let isInput = false;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? ((components.schemas[schema.$ref.split('/').at(-1)!] ?? {}) as Schema) : schema;

  type Place = { place: string; depth: number; isRequired: boolean };
  const list = (given: Schema, { place, depth, isRequired }: Place, said: (place: string, type: string) => void): void => {
    const schema = resolved(given);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      for (const choice of choices) list(choice, { place, depth, isRequired }, said);
      return;
    }
    const type = schema.const !== undefined ? 'const' : schema.enum ? 'enum' : [schema.type ?? 'any'].flat().join('|');
    if (place !== '') {
      said(place, isRequired ? `required ${type}` : type);
      for (const value of schema.enum ?? (schema.const !== undefined ? [schema.const] : [])) said(place, `= ${String(value)}`);
    }
    if (depth === 0) return;
    if (schema.items) list(schema.items, { place: `${place}[]`, depth: depth - 1, isRequired: false }, said);
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      list(
        part,
        {
          place: place === '' ? name : `${place}.${name}`,
          depth: depth - 1,
          isRequired: isInput && (schema.required?.includes(name) ?? false),
        },
        said,
      );
  };

  for (const [path, methods] of Object.entries(paths))
    for (const [method, { parameters, requestBody, responses, ...operation }] of Object.entries(methods)) {
      const call = `${method.toUpperCase()} ${path.slice(`${registryApiBase}/{account}`.length)}`;
      lines.push(`${call} scope ${operation['x-scope']}`);
      for (const { name, in: where, required } of parameters)
        if (name !== 'account') lines.push(`${call} ${where} ${name}${required ? ' required' : ''}`);
      isInput = true;
      for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
        if (type !== 'application/json') lines.push(`${call} body ${type}`);
        else list(schema, { place: '', depth: DEEPEST, isRequired: false }, (place, kind) => lines.push(`${call} body ${place} ${kind}`));
      }
      isInput = false;
      for (const [status, { content }] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue;
        for (const [type, { schema }] of Object.entries(content ?? { none: { schema: {} } })) {
          if (type !== 'application/json') lines.push(`${call} ${status} ${type}`);
          else
            list(schema, { place: '', depth: DEEPEST, isRequired: false }, (place, kind) =>
              lines.push(`${call} ${status} ${place} ${kind}`),
            );
        }
      }
    }
  return [...new Set(lines)].toSorted();
}
