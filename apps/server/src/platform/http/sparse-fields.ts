import type { Endpoint } from '@portal/contract';
import * as z from 'zod/mini';
import { refuse } from '../failure.ts';

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[] };
/** The fields of an object to keep, by name; null: everything below. */
export type Fields = { readonly [name: string]: Fields | null };

/** Fields that one call may name. */
const MAX = 100;

/**
 * Parses `?fields=total,rows.prefix,rows.asn`: dotted paths of the fields to return; entries of a list are addressed without an index. Returns null
 * if everything is requested. @throws Failure INVALID_REQUEST naming a field that the answer doesn't have
 */
export function fieldsIn(given: unknown, answer: Endpoint['answer']): Fields | null {
  if (given === undefined) return null;
  if (!answer || answer === 'download')
    throw refuse('INVALID_REQUEST', { detail: 'fields: this call answers no object to choose fields from' });
  const names = typeof given === 'string' ? given.split(',').map(name => name.trim()) : [];
  if (names.length === 0 || names.length > MAX)
    throw refuse('INVALID_REQUEST', { detail: `fields: name 1 to ${MAX} fields, such as total,rows` });
  const schema = schemaOf(answer);
  const kept: Record<string, Fields | null> = {};
  for (const name of names) {
    let [at, place]: [Schema[], Record<string, Fields | null> | null] = [[schema], kept];
    const parts = name.split('.');
    for (const [i, part] of parts.entries()) {
      const known = propertiesOf(at);
      if (!Object.hasOwn(known, part))
        throw refuse('INVALID_REQUEST', {
          detail: `fields: there is no ${name.slice(0, 100)}. ${i === 0 ? 'Known are' : `${parts.slice(0, i).join('.')} has`} ${Object.keys(known).join(', ') || 'no fields'}`,
        });
      at = known[part]!;
      // A field requested as a whole stays whole.
      if (place === null) continue;
      if (i === parts.length - 1) place[part] = null;
      else if (Object.hasOwn(place, part)) place = place[part] as Record<string, Fields | null> | null;
      else place = (place[part] = {}) as Record<string, Fields | null>;
    }
  }
  return kept;
}

/** Returns an answer with only the selected fields. */
export function withFields(answer: unknown, fields: Fields): unknown {
  if (Array.isArray(answer)) return answer.map(each => withFields(each, fields));
  if (answer === null || typeof answer !== 'object') return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) =>
      Object.hasOwn(fields, name) ? [[name, fields[name] === null ? value : withFields(value, fields[name]!)]] : [],
    ),
  );
}

function propertiesOf(schemas: readonly Schema[]): Record<string, Schema[]> {
  const found: Record<string, Schema[]> = {};
  for (const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } of schemas) {
    for (const [name, part] of Object.entries(properties)) (found[name] ??= []).push(part);
    for (const [name, parts] of Object.entries(propertiesOf([...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf])))
      (found[name] ??= []).push(...parts);
  }
  return found;
}

const schemas = new WeakMap<z.core.$ZodType, Schema>();
function schemaOf(answer: z.core.$ZodType): Schema {
  const schema = schemas.get(answer) ?? (z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Schema);
  schemas.set(answer, schema);
  return schema;
}
