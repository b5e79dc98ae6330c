import { type Endpoint, isUpload } from '@portal/contract';
import { rehearsalOf } from '@portal/contract/dry-run';
import type * as z from 'zod/mini';

/**
 * Returns an endpoint as called: as a dry run if its body says `dryRun: true`. Without that field all its requirements apply. @param given the raw body
 */
export function asCalled(endpoint: Endpoint, given: unknown): Endpoint {
  if ((given as { dryRun?: unknown } | null | undefined)?.dryRun !== true || !takesDryRun(endpoint)) return endpoint;
  const made = rehearsals.get(endpoint) ?? rehearsalOf(endpoint);
  rehearsals.set(endpoint, made);
  return made;
}
const rehearsals = new WeakMap<Endpoint, Endpoint>();

/** Whether the body of an endpoint has the field `dryRun`. */
export const takesDryRun = ({ body }: Endpoint): boolean =>
  body !== undefined && !isUpload(body) && 'dryRun' in ((body as z.ZodMiniObject)._zod.def.shape ?? {});
