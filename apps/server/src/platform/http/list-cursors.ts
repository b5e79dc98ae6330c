import type { Endpoint, PublicApi } from '@portal/contract';
import * as z from 'zod/mini';
import { refuse } from '../failure.ts';

type Listed = Pick<Endpoint, 'id' | 'query' | 'answer'> & { publicApi: PublicApi };

/** Where the next page of a list begins: the parameter of the call, and its value. */
type Place = { parameter: string; value: string };

const fieldsOf = (schema: unknown): Readonly<Record<string, unknown>> =>
  (schema as { _zod?: { def: { shape?: Record<string, unknown> } } } | undefined)?._zod?.def.shape ?? {};

/** Whether a call answers a list a page at a time. */
export const isPaged = ({ query, publicApi }: Listed): boolean => publicApi.continues !== undefined || 'offset' in fieldsOf(query);

/**
 * Puts the position of a cursor into the query of a call. A cursor is made by `nextCursor` and is opaque to clients.
 * @throws Failure INVALID_REQUEST for one of another list, or where there are no pages
 */
export function withCursor(endpoint: Listed, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { cursor, ...query } = given;
  if (cursor === undefined) return query;
  const place = isPaged(endpoint) && typeof cursor === 'string' ? placeOf(endpoint, cursor) : null;
  if (!place) throw refuse('INVALID_REQUEST', { detail: 'cursor: this list has no such page. Begin again without a cursor' });
  return { ...query, [place.parameter]: place.value };
}

/** Returns the cursor of the page after an answer; null where it was the last page, or no list. */
export function nextCursor(endpoint: Listed, query: unknown, answer: unknown): string | null {
  const place = nextPlace(endpoint, query as Record<string, unknown>, answer as Record<string, unknown>);
  return place && Buffer.from(JSON.stringify([endpoint.id, place.parameter, place.value])).toString('base64url');
}

function nextPlace(endpoint: Listed, query: Record<string, unknown>, answer: Record<string, unknown>): Place | null {
  const { continues } = endpoint.publicApi;
  if (continues && 'next' in continues) {
    const value = answer[continues.next] as string | number | null;
    return value === null ? null : { parameter: continues.parameter, value: String(value) };
  }
  if (continues) {
    const last = (answer[continues.entries] as Record<string, unknown>[]).at(-1);
    return answer[continues.more] === true && last ? { parameter: continues.parameter, value: String(last[continues.id]) } : null;
  }
  if (!isPaged(endpoint) || !Array.isArray(answer['rows'])) return null;
  const value = Number(query['offset']) + answer['rows'].length;
  return answer['rows'].length > 0 && value < Number(answer['total']) ? { parameter: 'offset', value: String(value) } : null;
}

const Cursor = z.tuple([z.string(), z.string(), z.string().check(z.maxLength(300))]);

function placeOf({ id, publicApi }: Listed, cursor: string): Place | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  const { success, data } = z.safeParse(Cursor, read);
  return success && data[0] === id && data[1] === (publicApi.continues?.parameter ?? 'offset')
    ? { parameter: data[1], value: data[2] }
    : null;
}
