import fastJson from 'fast-json-stringify';
import * as z from 'zod/mini';

type Serialise = (answer: unknown) => string;

const known = new WeakMap<z.core.$ZodType, Serialise>();

/**
 * The function that writes an answer as JSON and sends no field that is not in its schema. Created lazily, once for all apps of a process: creating
 * them all would take a third of the start time.
 */
export function serialiserOf(schema: z.core.$ZodType): Serialise {
  let serialise = known.get(schema);
  if (!serialise) {
    serialise = fastJson(jsonSchemaOf(schema));
    known.set(schema, serialise);
  }
  return serialise;
}

/** JSON Schema as fast-json-stringify reads it: `nullable` instead of unions with null. */
function jsonSchemaOf(schema: z.core.$ZodType): fastJson.AnySchema {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Checked on input; on output they would only cost time.
      for (const key of ['pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength'] as const) delete jsonSchema[key];
    },
  }) as fastJson.AnySchema;
}
