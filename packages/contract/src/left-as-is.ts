import * as z from 'zod/mini';

type LeftAsIs<Facts> = {
  [Name in keyof Facts]: Facts[Name] extends z.ZodMiniDefault<infer Inner> ? z.ZodMiniOptional<Inner> : Facts[Name];
};

/**
 * Turns the fields of a new thing into those of a change: a field with a default becomes optional and is left unchanged if missing. Leaving out a
 * field never deletes anything.
 */
export const leftAsIs = <Facts extends Record<string, z.ZodMiniType>>(facts: Facts): LeftAsIs<Facts> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, fact instanceof z.ZodMiniDefault ? z.optional(fact._zod.def.innerType) : fact]),
  ) as LeftAsIs<Facts>;
