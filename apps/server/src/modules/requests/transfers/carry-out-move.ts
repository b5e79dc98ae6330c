import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { endDelegationsIn } from '../../nir/index.ts';
import { actOverLocks, movedSpace, unlockParts } from '../../resources/index.ts';
import { actOverRestraints, areHoldingsStopped } from '../../restraints/index.ts';
import { endRoutesIn } from '../../routes/index.ts';
import { carryOutSignatures } from '../../rpki/index.ts';
import { askObjects, carryOutObjects } from '../../whois/index.ts';
import { moveOf } from '../account-facts.ts';
import { askedOf } from '../asked-names.ts';
import { endListingsIn } from '../listings/listings.ts';
import { readResources } from '../open-request.ts';
import { referenceOf, type Row } from '../request-row.ts';
import { endHolding, type HeldStep, prepareHeld } from './held-objects.ts';
import { differencesOf, type Doing, inShort, type MoveStep, readMove, stepsOf } from './move-steps.ts';

/** The outcome of a move. */
export type MoveOutcome = {
  registrationsEnded: number;
  /** ROAs that the recipient has now. */
  roas: number;
  held: HeldStep[];
  /** Differences from the acknowledged plan. */
  differences: string[];
};

/**
 * Moves numbers by their plan, in this change: the ledger, registrations, routes, ROAs, provider authorisations, and all whois objects over them. The
 * steps are those of the preview, read again under the ledger's lock, which the caller holds. Unlocks the parts of the case. @param to the receiving
 * account; null if it isn't an account of this registry
 */
export async function carryOutMove(
  change: Change,
  row: Row,
  { to, reason, profile }: { to: { accountName: string; economy: string | null } | null; reason: string; profile: Profile },
): Promise<MoveOutcome> {
  const { resources } = readResources(row.form.resources);
  await unlockParts(change, referenceOf(row.id));
  await actOverLocks(change, 'completion');
  if (row.recoveryGround !== null && (await areHoldingsStopped(change, row.accountName, change.now)))
    await actOverRestraints(change, 'recovery');
  const move = await readMove(change, row, profile);
  const steps = move ? await stepsOf(change, move) : [];
  const doings = <Of extends Doing['of']>(of: Of): Extract<Doing, { of: Of }>[] =>
    steps.flatMap(({ doing }) => (doing.of === of ? [doing as Extract<Doing, { of: Of }>] : []));
  await endHolding(change, row.accountName, steps, resources);
  const held = await prepareHeld(change, row, steps, resources);
  await endDelegationsIn(change, row.accountName, resources);
  await endListingsIn(change, row.accountName, resources);
  const { ended } = await movedSpace(
    change,
    row.accountName,
    resources,
    to && {
      accountName: to.accountName,
      economy: to.economy,
      withRegistrations: false,
      otherwise: doings('registration').flatMap(({ name, goes }) => (goes ? [name] : [])),
    },
    { move: moveOf(row), policy: profile },
  );
  const from = row.accountName;
  if (to && row.receiveForm) await askObjects(change, to.accountName, resources, askedOf(row.receiveForm));
  await endRoutesIn(change, from, resources);
  const roas = await carryOutSignatures(change, { from, to: to?.accountName ?? null, roas: doings('roa'), aspas: doings('aspa') });
  await carryOutObjects(change, doings('object'), { from, to: to?.accountName ?? null, moved: resources, reason, profile });
  return { registrationsEnded: ended, roas, held, differences: differencesOf(row.agreed, steps) };
}

/** Stores the plan of a case as its parties read it, so that completion can report differences. */
export async function keepAgreedPlan(change: Change, row: Row, profile: Profile): Promise<void> {
  const move = await readMove(change, row, profile);
  const agreed: string[] = inShort(move ? await stepsOf(change, move) : ([] as MoveStep[]));
  await change.rows(sql`update resource_request set agreed = ${JSON.stringify(agreed)}::jsonb where resource_request_id = ${row.id}`);
}
