import type { AnswerOf, Endpoint } from '@portal/contract';
import * as z from 'zod/mini';
import { type Admission, admitCaller } from '../admission.ts';
import type { Admitted, Caller } from './caller.ts';
import type { Handler, Implementation } from './endpoints.ts';
import { refuse } from '../failure.ts';

/** Parameters of the path, and the query as a browser wrote it. */
export type ReadInput = { params?: Record<string, string>; query?: Record<string, unknown>; traceId: string };

/**
 * Answers a read of the contract for a caller who is known otherwise than by a bearer: the same admission, the same handler. Changes cannot be called.
 * @throws Failure as the endpoint does; INVALID_REQUEST where the query is wrong
 */
export type ReadAs = <E>(caller: Caller, endpoint: E, input: ReadInput) => Promise<AnswerOf<E>>;

/** Opens the reads of all modules. */
export function openKnownReads(implementations: readonly Implementation[], admission: Admission): ReadAs {
  const handlers = new Map<string, Handler>();
  for (const { endpoints, handlers: own } of implementations)
    for (const [key, { id, method }] of Object.entries(endpoints)) if (method === 'GET') handlers.set(id, own[key] as unknown as Handler);
  return async <E>(caller: Caller, asked: E, { params = {}, query, traceId }: ReadInput) => {
    const endpoint = asked as Endpoint;
    const handler = handlers.get(endpoint.id);
    if (!handler) throw new Error(`${endpoint.id} is no read of the contract`);
    const who: Admitted = {};
    await admitCaller(who, endpoint, { caller, accountName: params['account'] ?? '' }, admission);
    const parsed = endpoint.query ? z.safeParse(endpoint.query, query ?? {}) : null;
    if (parsed && !parsed.success) throw refuse('INVALID_REQUEST', { detail: 'the address names something that does not exist' });
    const { read } = admission.db;
    return (await handler({
      ...who,
      params,
      query: parsed?.data,
      body: undefined,
      traceId,
      hasSecondPerson: false,
      registry: admission.registry(),
      read,
    })) as AnswerOf<E>;
  };
}
