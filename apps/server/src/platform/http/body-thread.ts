import { isUpload } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { refuse, refuseFields } from '../failure.ts';
import { joined } from '../held-text.ts';
import { MAX_WEIGHT, portions, weightOf } from '../portions.ts';
import { parsedInput } from './parsed-input.ts';
import { unkeptTextIn } from './unkept-text.ts';

/** The JSON of a body, and what was seen of it while it arrived. `longName`: the field of its long text, which is read elsewhere. */
export type BodyGiven = {
  endpoint: string;
  pieces: readonly SharedArrayBuffer[];
  bytes: number;
  dryRun: boolean | undefined;
  longName: string | null;
};
/** Items of a list in the body, which is empty in the answer. `path`: the names and places that lead to it. */
export type BodyPortion = { path: readonly (string | number)[]; items: unknown[] };

/**
 * Reads a body of many values: parses it as its endpoint declares. Yields its long lists in portions, inner ones first, and answers the rest.
 * @throws Failure INVALID_REQUEST
 */
export function* read({ endpoint: id, pieces, bytes, dryRun, longName }: BodyGiven): Generator<BodyPortion, unknown> {
  const { body: schema } = allEndpoints.find(endpoint => endpoint.id === id)!;
  const given = jsonOf(joined(pieces, bytes).toString()) as { dryRun?: unknown } | null;
  // Which requirements apply was decided by what the reader of bytes saw, which doesn't understand escaped names.
  const said = given?.dryRun;
  if ((typeof said === 'boolean' ? said : undefined) !== dryRun)
    throw refuse('INVALID_REQUEST', { detail: 'the body has dryRun twice, or with an escaped name' });
  const unkept = unkeptTextIn(given, 'body');
  if (unkept) throw refuseFields([unkept]);
  if (longName !== null) (given as Record<string, unknown>)[longName] = '…';
  return yield* apart(parsedInput(isUpload(schema) ? undefined : schema, given, 'body'), []);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
  }
}

/** Takes the long lists out of a value. */
function* apart(value: unknown, path: readonly (string | number)[]): Generator<BodyPortion, unknown> {
  if (typeof value !== 'object' || value === null || weightOf(value) <= MAX_WEIGHT) return value;
  if (!Array.isArray(value)) {
    const rest: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) rest.push([name, yield* apart(each, [...path, name])]);
    return Object.fromEntries(rest);
  }
  const items: unknown[] = [];
  for (const [place, each] of value.entries()) items.push(yield* apart(each, [...path, place]));
  for (const portion of portions(items)) yield { path, items: portion };
  return [];
}
