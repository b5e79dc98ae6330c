import { dayIn, yearsAfter } from '@portal/contract/days';
import type { RequestForm, RequestKind } from '@portal/contract/requests/request-form';
import {
  bestFitPrefix,
  grownPrefix,
  lowestAsNumber,
  type NumberResource,
  parsePrefix,
  printResource,
  sparsePrefix,
} from '@portal/number-resources';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { openSubaccount, recordDelegation } from '../../nir/index.ts';
import {
  delegate,
  delegatedSpace,
  freeSpace,
  growDelegation,
  type HeldBlock,
  heldBlocks,
  heldFor,
  holdForRequest,
  lockLedger,
  releaseHeld,
  takeHeld,
} from '../../resources/index.ts';
import { askObjects } from '../../whois/index.ts';
import { askedOf } from '../asked-names.ts';
import { recordEvent, type Row, referenceOf } from '../request-row.ts';

/** A resource chosen from the pool, with the reason. */
export type Suggestion = { resource: NumberResource; why: string };

/**
 * Chooses what to delegate: the best-fitting gap for IPv4, the middle of the largest gap for IPv6 (the best-fitting one for an event), the lowest AS
 * number. More IPv6 for a holder extends its block if the surrounding space is free; for members of a national registry a new block is chosen. Null if nothing fits.
 */
export async function choose(
  read: Pick<Read, 'rows'>,
  kind: RequestKind,
  form: RequestForm,
  { accountName, subaccountId }: Pick<Row, 'accountName' | 'subaccountId'>,
): Promise<Suggestion | null> {
  if (kind === 'asn') {
    const number = lowestAsNumber(await freeSpace(read, 'asn'), { twoByte: form.twoByte });
    return number === null
      ? null
      : {
          resource: { family: 'asn', first: number, last: number },
          why: form.twoByte ? 'Lowest free number of two bytes' : 'Lowest free number of four bytes',
        };
  }
  if (kind === 'ipv4') {
    const block = bestFitPrefix(await freeSpace(read, 'ipv4'), 'ipv4', form.length);
    return block && { resource: block, why: 'Best fit: the tightest free block, so that no larger one is split without need' };
  }
  if (kind !== 'ipv6') return null;
  const free = await freeSpace(read, 'ipv6');
  if (form.path === 'temporary') {
    const block = bestFitPrefix(free, 'ipv6', form.length);
    return block && { resource: block, why: 'Best fit: it comes back after the event, so no large gap is split for it' };
  }
  if (form.path === 'subsequent' && subaccountId === null) {
    const held = growing(await heldBlocks(read, accountName))?.block;
    const grown = held && form.length < held.length ? grownPrefix(held, form.length, free) : null;
    if (grown) return { resource: grown, why: `Grows ${printResource(held!)} in place: everything around it is free` };
  }
  const block = sparsePrefix(free, await delegatedSpace(read, 'ipv6'), form.length);
  return block && { resource: block, why: 'Sparse: the middle of the largest gap, so that holders on both sides can grow' };
}

/** Finds the block of a holder to extend: its first IPv6 delegation for general use without a moving part. */
function growing(held: readonly HeldBlock[]): { delegationId: number; block: ReturnType<typeof parsePrefix> } | null {
  const found = held.find(({ kind, purpose, status }) => kind === 'ipv6' && purpose === null && status === 'active');
  return found ? { delegationId: found.delegationId, block: parsePrefix(found.resource) } : null;
}

/** Holds numbers for a case under review that leads to a delegation. Numbers already held stay held. */
export async function holdForReview(change: Change, row: Row): Promise<void> {
  if (row.kind !== 'ipv4' && row.kind !== 'ipv6' && row.kind !== 'asn') return;
  const held = await holdFor(change, row);
  if (held) await recordEvent(change, row.id, 'reserved', { byStaff: true, internal: true, words: printResource(held) });
}

/** Holds the chosen resource for a case under review. Returns null if nothing fits, or it is already held. */
async function holdFor(change: Change, row: Row): Promise<NumberResource | null> {
  await lockLedger(change);
  const [present] = await heldFor(change, referenceOf(row.id));
  if (present) return null;
  const chosen = await choose(change, row.kind, row.form, row);
  // For an extended block only the additional part is held.
  if (!chosen) return null;
  if (row.kind === 'ipv6' && row.form.path === 'subsequent' && row.subaccountId === null) return chosen.resource;
  await holdForRequest(change, chosen.resource, referenceOf(row.id));
  return chosen.resource;
}

/** Releases the numbers held for a case that ends without a delegation. */
export async function releaseRequestHold(change: Change, row: Pick<Row, 'id'>): Promise<void> {
  await lockLedger(change);
  await releaseHeld(change, referenceOf(row.id));
}

/**
 * Delegates the numbers of a case: the held ones, a block picked by staff, or a newly chosen one. The ledger's triggers update whois, RDAP and RPKI.
 * Runs under the ledger's lock, so that concurrent approvals never choose the same block.
 * @throws Failure POOL_EXHAUSTED, INVALID_REQUEST for a block that is not free or not of the size, DELEGATION_OVERLAPS
 */
export async function delegateChosen(
  change: Change,
  row: Row,
  { picked, profile }: { picked: NumberResource | null; profile: Profile },
): Promise<string> {
  await lockLedger(change);
  const reference = referenceOf(row.id);
  const { form, kind, accountName } = row;
  let resource: NumberResource;
  if (picked) {
    await releaseHeld(change, reference);
    await holdForRequest(change, picked, reference);
    [resource] = (await takeHeld(change, reference)) as [NumberResource];
  } else {
    const held = await takeHeld(change, reference);
    const chosen = held[0] ?? (await choose(change, kind, form, row))?.resource;
    if (!chosen) throw refuse('POOL_EXHAUSTED');
    resource = chosen;
  }
  const { economy } = await accountNamed(change, accountName);
  const today = dayIn(profile.timeZone, new Date(change.now));
  if (kind === 'ipv6' && form.path === 'subsequent' && row.subaccountId === null) {
    const grown = growing(await heldBlocks(change, accountName));
    const present = grown?.block;
    if (grown && present && resource.family === 'ipv6' && resource.first <= present.first && resource.last >= present.last) {
      await growDelegation(change, grown.delegationId, resource, profile);
      await askObjects(change, accountName, [resource], askedOf(form));
      return printResource(resource);
    }
  }
  const type = typeOf(kind, form, profile);
  const purpose = purposeOf(kind, form);
  await delegate(
    change,
    {
      resource,
      accountName,
      type,
      economy,
      // All of IPv4 comes from the last pool, except what an exchange or an event gets.
      holdUntil: kind === 'ipv4' && purpose === null ? yearsAfter(today, profile.holdYears) : null,
      purpose,
      endsOn: purpose === 'temporary' ? form.endsOn : null,
    },
    profile,
  );
  // For a sub-account, whois says on whose behalf the national registry holds it.
  const descr = row.subaccountId === null ? '' : await entityOf(change, accountName, row.subaccountId);
  await askObjects(change, accountName, [resource], { ...askedOf(form), descr });
  // The national registry holds it, and records the sub-account.
  if (row.subaccountId !== null)
    await recordDelegation(change, accountName, resource, {
      subaccountId: String(row.subaccountId),
      pool: 'registry',
      type,
      netname: '',
      assignmentId: null,
    });
  return printResource(resource);
}

/** The organisation of a sub-account. @throws Failure NOT_FOUND, SUBACCOUNT_CLOSED */
const entityOf = async (change: Change, accountName: string, subaccountId: number): Promise<string> =>
  (await openSubaccount(change, accountName, String(subaccountId))).entity;

/** Returns the only permitted use of the numbers; null for any. */
export const purposeOf = (kind: RequestKind, { path }: RequestForm): 'temporary' | 'exchange' | null =>
  path === 'temporary' ? 'temporary' : kind !== 'asn' && path === 'ixp' ? 'exchange' : null;

/**
 * Returns whether a block is assigned (for the holder's own network) or allocated (for customers); additional space smaller than a provider's is for
 * an end site.
 */
export function typeOf(kind: RequestKind, { path, length }: RequestForm, { requestPolicy }: Profile): 'allocated' | 'assigned' {
  if (kind === 'asn') return 'allocated';
  if (path === 'subsequent') return length > requestPolicy.ipv6Provider ? 'assigned' : 'allocated';
  return ['end-site', 'ixp', 'critical', 'temporary', 'multihoming'].includes(path) ? 'assigned' : 'allocated';
}
