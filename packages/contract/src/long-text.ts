import * as z from 'zod/mini';

/** How long a text may be, in characters, and the sentence for one that is longer. */
export type TextLimit = { most: number; tooLong: string };

/** A long text as the server has it: bytes that only a thread reads. Texts with the same digest are the same. */
export interface HeldText {
  readonly bytes: number;
  readonly digest: string;
  readonly limit: TextLimit;
}
/** A text of a call that may be megabytes long: as the server has it, unless it is short. */
export type LongText = string | HeldText;
/** The field of a body that is a long text. */
export type LongField = { name: string; limit: TextLimit };

const limits = new WeakMap<z.core.$ZodType, TextLimit>();

/**
 * A text that may be megabytes long. As a field of a body, one for each, it is no part of what the event loop parses: it reaches the thread that reads it as
 * bytes (decision 210). @param empty sentence for one without a character
 */
export function longText({ most, tooLong, empty }: TextLimit & { empty?: string }): z.ZodMiniType<LongText, string> {
  const schema = z.string().check(z.minLength(1, { error: empty }), z.maxLength(most, { error: tooLong }));
  limits.set(schema, { most, tooLong });
  return schema as unknown as z.ZodMiniType<LongText, string>;
}

/** The long text of a body, or null. */
export function longFieldOf(body: unknown): LongField | null {
  const { shape = {} } = ((body as z.ZodMiniObject | undefined)?._zod?.def ?? {}) as { shape?: Record<string, z.core.$ZodType> };
  for (const [name, schema] of Object.entries(shape)) {
    const limit = limits.get(schema);
    if (limit) return { name, limit };
  }
  return null;
}
