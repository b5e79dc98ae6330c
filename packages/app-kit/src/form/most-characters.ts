import type * as z from 'zod/mini';

/** Returns the maximum length of a field, so that its field says when a text is longer; undefined if the schema sets no bound. */
export function maxCharacters(schema: z.core.$ZodType | undefined, field: string): number | undefined {
  const body = schema && definitionOf(schema);
  let text = body?.type === 'object' ? body.shape[field] : undefined;
  // An optional field, or one with a default, has the bound of its inner schema.
  for (let outer = text && definitionOf(text); outer && 'innerType' in outer; outer = definitionOf(text)) text = outer.innerType;
  const definition = text && definitionOf(text);
  if (definition?.type !== 'string') return undefined;
  const bounds = (definition.checks ?? []).flatMap(check => {
    const rule = (check as z.core.$ZodChecks)._zod.def;
    return rule.check === 'max_length' ? [rule.maximum] : [];
  });
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
}

const definitionOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;
