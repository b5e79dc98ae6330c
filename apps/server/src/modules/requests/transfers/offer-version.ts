import { createHash } from 'node:crypto';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import type { Row } from '../request-row.ts';
import { inShort, readMove, stepsOf } from './move-steps.ts';

/** Digests of plans are numbers below this: with the version of the case they stay exact in JSON. */
const DIGESTS = 2 ** 31;

/**
 * Returns the version of a case that its reader names when it acts on it. That of an offer covers its plan: until the recipient acknowledges, the sender may still change what stands over the
 * numbers, and the recipient acknowledges only the plan that it read (refused with STALE otherwise).
 */
export async function versionOf(read: Pick<Read, 'rows'>, row: Row, profile: Profile): Promise<number> {
  if (row.state !== 'offered') return row.version;
  const move = await readMove(read, row, profile);
  const plan = move ? inShort(await stepsOf(read, move)) : [];
  const digest = createHash('sha256').update(plan.toSorted().join('\n')).digest().readUInt32BE() % DIGESTS;
  return row.version * DIGESTS + digest;
}
