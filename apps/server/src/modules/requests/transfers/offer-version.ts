import { createHash } from 'node:crypto';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import type { Row } from '../request-row.ts';
import { inShort, readMove, stepsOf } from './move-steps.ts';

/** Digests of plans are below this number, so that together with the version of the case they are exact in JSON. */
const DIGESTS = 2 ** 31;

/**
 * Returns the version that a caller has to name when acting on a case. For an offer it covers the plan: until the recipient acknowledges, the sender
 * may still change objects over the numbers, and the recipient acknowledges only the plan it read (refused with STALE otherwise).
 */
export async function versionOf(read: Pick<Read, 'rows'>, row: Row, profile: Profile): Promise<number> {
  if (row.state !== 'offered') return row.version;
  const move = await readMove(read, row, profile);
  const plan = move ? inShort(await stepsOf(read, move)) : [];
  const digest = createHash('sha256').update(plan.toSorted().join('\n')).digest().readUInt32BE() % DIGESTS;
  return row.version * DIGESTS + digest;
}
