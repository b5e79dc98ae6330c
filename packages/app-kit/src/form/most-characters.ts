import type * as z from 'zod/mini';

/** How many characters a field of a body may have at most, so that its control takes no more; undefined where the schema sets no bound. */
export function mostCharacters(schema: z.core.$ZodType | undefined, field: string): number | undefined {
  const body = schema && definitionOf(schema);
  let text = body?.type === 'object' ? body.shape[field] : undefined;
  // What may be left out, or has a default, is bound like what is inside.
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
