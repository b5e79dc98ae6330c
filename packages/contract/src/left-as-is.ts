import * as z from 'zod/mini';

type LeftAsIs<Facts> = {
  [Name in keyof Facts]: Facts[Name] extends z.ZodMiniDefault<infer Inner> ? z.ZodMiniOptional<Inner> : Facts[Name];
};

/**
 * The fields of a new thing as those of a change of it: what has a default there may be left out here too, and stays as it is. Nothing that is known is deleted by
 * not naming it.
 */
export const leftAsIs = <Facts extends Record<string, z.ZodMiniType>>(facts: Facts): LeftAsIs<Facts> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, fact instanceof z.ZodMiniDefault ? z.optional(fact._zod.def.innerType) : fact]),
  ) as LeftAsIs<Facts>;
