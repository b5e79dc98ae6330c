import type { PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { containsRange, overlapsRange, parsePrefix, parseResource, printResource, ResourceSyntaxError } from '@portal/number-resources';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { transferFee } from '../billing/index.ts';
import { columnsOf, heldBlocks, registrationsIn, spaceToMove, type SpaceOnTheMove } from '../resources/index.ts';
import { keptRoas, printRoa } from '../rpki/index.ts';
import { memberObjectsIn } from '../whois/index.ts';
import { accountNamed } from '../accounts/index.ts';
import { addressesOf, todayOf } from './account-facts.ts';
import { isOpen, type Row } from './request-row.ts';

/** Maximum number of listed items of each kind. */
const MOST = 200;

/**
 * The preview of a transfer, merger or return, for one of its parties: everything on the space and what happens to it. Null for other cases, and once it is
 * done. What the holder registered privately is named to no one else.
 */
export async function planOf(
  read: Read,
  row: Row,
  reader: string,
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<TransferPlan | null> {
  if (!['transfer', 'acquisition', 'return'].includes(row.kind) || !isOpen(row)) return null;
  const readable = row.form.resources.flatMap(text => {
    try {
      return [parseResource(text)];
    } catch (error) {
      if (error instanceof ResourceSyntaxError) return [];
      throw error;
    }
  });
  const spaces = (await spaceToMove(read, row.accountName, readable)).filter((space): space is SpaceOnTheMove => space !== null);
  if (spaces.length === 0) return null;
  const isSource = reader === row.accountName;
  const goesAlong = row.kind !== 'return' && row.recipientName !== null;
  const effects: PlannedEffect[] = spaces.map(({ resource, from, whole, rest }) => ({
    what: 'delegation',
    name: printResource(resource),
    today: whole ? 'A delegation of the account' : `Part of ${from}`,
    act: goesAlong ? 'moves' : 'ends',
    on: whole
      ? goesAlong
        ? 'Delegated to the recipient'
        : 'Back to the registry’s pool'
      : `${isSource ? 'You keep' : `${row.accountName} keeps`} ${rest.map(printResource).join(', ')}`,
  }));
  for (const { resource } of spaces) {
    if (resource.family === 'asn') continue;
    for (const { resource: name, netname, visibility } of await registrationsIn(read, row.accountName, resource, MOST))
      effects.push({
        what: 'registration',
        name,
        today: isSource || visibility === 'public' ? netname : 'Private registration',
        act: goesAlong && row.form.withRegistrations ? 'moves' : 'ends',
        on: goesAlong && row.form.withRegistrations ? 'Registered by the recipient' : 'Deleted',
      });
    for (const { class: objectClass, shown } of await memberObjectsIn(read, columnsOf(resource), MOST))
      effects.push({
        what: objectClass === 'domain' ? 'reverse' : 'whois',
        name: shown,
        today: objectClass,
        act: goesAlong && row.form.withRegistrations ? 'stays' : 'ends',
        on: goesAlong && row.form.withRegistrations ? 'Stays; the recipient may change it' : 'Deleted from whois',
      });
    for (const roa of await keptRoas(read, row.accountName)) {
      const prefix = parsePrefix(roa.prefix);
      if (prefix.family !== resource.family || !overlapsRange(prefix, resource)) continue;
      const inside = containsRange(resource, prefix);
      effects.push({
        what: 'roa',
        name: printRoa(roa),
        today: inside ? 'Covers this space' : 'Covers this space and more that you keep',
        act: inside ? (goesAlong && row.form.withRoas ? 'moves' : 'ends') : 'changes',
        on: inside
          ? goesAlong && row.form.withRoas
            ? 'Signed by the recipient’s certificate in the same publication'
            : 'Removed'
          : `Becomes ROAs for the parts ${isSource ? 'you keep' : `${row.accountName} keeps`}${goesAlong && row.form.withRoas ? ', and one for the recipient' : ''}`,
      });
    }
  }
  return {
    moves: spaces.map(({ resource }) => printResource(resource)),
    keeps: spaces.flatMap(({ rest }) => rest.map(printResource)),
    effects,
    fee: await plannedFee(read, row, { profile, now }),
  };
}

/** The fee of a transfer: a share of what the moved IPv4 alone would cost. None for a return, a merger, an NIR, and the first addresses of a member. */
async function plannedFee(read: Read, row: Row, { profile, now }: { profile: Profile; now: Date | string }): Promise<TransferPlan['fee']> {
  const payer = await payerOf(read, row);
  if (payer === null) return null;
  const addresses = addressesOf(row.form.resources);
  if (addresses === 0n) return null;
  const amount = await transferFee(read, addresses, profile.requestPolicy.transferFeeShare, todayOf(profile, now));
  const share = `${Number(profile.requestPolicy.transferFeeShare) * 100} % of the annual fee of the moved addresses`;
  return { currency: profile.currency, amount, payer, why: share };
}

/** Who pays the transfer fee; null where none is due. */
async function payerOf(read: Read, row: Row): Promise<string | null> {
  if (row.kind !== 'transfer') return null;
  if (row.recipientName === null) return row.otherRegistry || row.form.otherRegistry ? row.accountName : null;
  const recipient = await accountNamed(read, row.recipientName);
  if (recipient.accountType === 'confed-nir') return null;
  const held = await heldBlocks(read, row.recipientName);
  return held.some(({ kind }) => kind !== 'asn') ? row.recipientName : null;
}

/** The fee of a transfer that was approved. */
export const feeDueOf = (row: Row, { currency }: Profile) =>
  row.fee === null ? null : { currency, amount: row.fee, payer: row.recipientName ?? row.accountName, paidOn: row.feePaidOn };

/** The fee that is to be paid before completion, decided on approval; null where none is. */
export async function feeOnApproval(read: Read, row: Row, deps: { profile: Profile; now: Date | string }): Promise<string | null> {
  return (await plannedFee(read, row, deps))?.amount ?? null;
}
