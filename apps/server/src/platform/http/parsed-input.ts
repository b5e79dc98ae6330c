import { wordsOfValue } from '@portal/contract/value-words';
import * as z from 'zod/mini';
import { type Problem, refuseFields } from '../failure.ts';
import { unknownFields } from './unknown-fields.ts';

/** Maximum number of problems listed, so that no answer is much larger than its request. */
const MAX_PROBLEMS = 100;

/** The same of unknown fields: to find what each may mean takes its time. */
const MAX_UNKNOWN = 40;

/**
 * The parsed query or body of a call. Only declared fields and parameters are taken: otherwise a misspelt one would be ignored.
 * @throws Failure INVALID_REQUEST with an error for each mistake, at its field; unknown fields first, for they explain what is missing
 */
export function parsedInput(schema: z.core.$ZodType | undefined, given: unknown, where: 'query' | 'body'): unknown {
  const problems: Required<Problem>[] = unknownFields(schema, given, {
    most: MAX_UNKNOWN,
    noun: where === 'query' ? 'parameter' : 'field',
  });
  const result = schema && z.safeParse(schema, given ?? {}, { error: wordsOfValue });
  for (const { path, message } of result?.error?.issues ?? []) problems.push({ field: path.join('.') || where, message });
  if (problems.length > 0) throw refuseFields(problems.slice(0, MAX_PROBLEMS));
  return result?.data;
}
