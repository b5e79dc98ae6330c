import type { PlannedEffect, ResourceRequestDetail, TransferPlan } from '@portal/contract/requests/requests';
import { containsRange, overlapsRange, parsePrefix, parseResource, printResource, ResourceSyntaxError } from '@portal/number-resources';
import type { Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { feeInvoiceOf, transferFee } from '../../billing/index.ts';
import { columnsOf, heldBlocks, registrationsIn, type MovingSpace, spaceToMove } from '../../resources/index.ts';
import { keptRoas, printRoa } from '../../rpki/index.ts';
import { memberObjectsIn, networkDetailsOf } from '../../whois/index.ts';
import { todayOf } from '../account-facts.ts';
import { addressesOf } from '../open-request.ts';
import { isOpen, type Row, referenceOf } from '../request-row.ts';
import { kindOfObject, type PlannedKind, planFor } from './object-plans.ts';

/** Maximum number of listed items of each kind. */
const MAX = 200;

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
  if (row.form.incoming)
    return {
      moves: readable.map(printResource),
      keeps: [],
      effects: readable.map(resource => ({
        what: 'delegation',
        name: printResource(resource),
        today: `Held at ${row.form.otherRegistry || 'the other registry'}`,
        act: 'moves',
        on: `Delegated to ${row.accountName}. Whois, RDAP and RPKI follow within seconds; ROAs and reverse DNS are added by you`,
        plan: null,
      })),
      fee: await plannedFee(read, row, { profile, now }),
    };
  const spaces = (await spaceToMove(read, row.accountName, readable)).filter((space): space is MovingSpace => space !== null);
  if (spaces.length === 0) return null;
  const isSource = reader === row.accountName;
  // The recipient of a draft is a word in its form.
  const movesWithTransfer =
    row.kind !== 'return' && (row.recipientName !== null || (row.state === 'draft' && row.form.otherRegistry === ''));
  const effects: PlannedEffect[] = spaces.map(({ resource, from, whole, rest }) => ({
    what: 'delegation',
    name: printResource(resource),
    today: whole ? 'A delegation of the account' : `Part of ${from}`,
    act: movesWithTransfer ? 'moves' : 'ends',
    on: whole
      ? movesWithTransfer
        ? 'Delegated to the recipient'
        : row.kind === 'return'
          ? 'Back to the registry’s pool'
          : `Goes to ${row.otherRegistry ?? (row.form.otherRegistry || 'the other registry')}`
      : `${isSource ? 'You keep' : `${row.accountName} keeps`} ${rest.map(printResource).join(', ')}`,
    plan: null,
  }));
  const holdsFor = `for ${profile.requestPolicy.holdDays} days, unless the recipient keeps it`;
  /** An object with its plan, as both parties read it. */
  const planned = (
    what: PlannedKind,
    { name, today, moves, ends, move = 'moves' }: { name: string; today: string; moves: string; ends: string; move?: 'moves' | 'stays' },
  ): PlannedEffect => {
    const plan = movesWithTransfer ? planFor(row.form, what, name) : null;
    const act = plan === null || plan === 'end' ? 'ends' : plan === 'hold' ? 'holds' : move;
    return { what, name, today, act, on: act === 'ends' ? ends : act === 'holds' ? `${moves}, ${holdsFor}` : moves, plan };
  };
  for (const { resource } of spaces) {
    if (resource.family === 'asn') continue;
    for (const { resource: name, netname, visibility } of await registrationsIn(read, row.accountName, resource, MAX))
      effects.push(
        planned('registration', {
          name,
          today: isSource || visibility === 'public' ? netname : 'Private registration',
          moves: 'Registered by the recipient',
          ends: 'Deleted',
        }),
      );
    for (const { class: objectClass, shown } of await memberObjectsIn(read, columnsOf(resource), MAX))
      effects.push(
        planned(kindOfObject(objectClass), {
          name: shown,
          today: objectClass,
          move: 'stays',
          moves: 'Stays; the recipient may change it',
          ends: 'Deleted from whois',
        }),
      );
    const { contacts, geofeed } = await networkDetailsOf(read, columnsOf(resource));
    for (const { handle, attributes } of contacts)
      effects.push(
        planned('contact', {
          name: handle,
          today: `${attributes.join(', ')} of ${printResource(resource)}`,
          moves: 'Stays named for the block',
          ends: movesWithTransfer
            ? 'The recipient’s contacts take its place. The contact itself stays yours'
            : 'No longer named for the block',
        }),
      );
    if (geofeed !== null)
      effects.push(
        planned('geofeed', {
          name: geofeed,
          today: `Geofeed of ${printResource(resource)}`,
          moves: 'Stays named for the block',
          ends: movesWithTransfer ? 'No longer named for the block; the recipient can name its own' : 'No longer named for the block',
        }),
      );
    for (const roa of await keptRoas(read, row.accountName)) {
      const prefix = parsePrefix(roa.prefix);
      if (prefix.family !== resource.family || !overlapsRange(prefix, resource)) continue;
      const inside = containsRange(resource, prefix);
      if (inside)
        effects.push(
          planned('roa', {
            name: printRoa(roa),
            today: 'Covers this space',
            moves: 'Signed by the recipient’s certificate in the same publication',
            ends: 'Removed',
          }),
        );
      else
        effects.push({
          what: 'roa',
          name: printRoa(roa),
          today: 'Covers this space and more that you keep',
          act: 'changes',
          on: `Becomes ROAs for the parts ${isSource ? 'you keep' : `${row.accountName} keeps`}${movesWithTransfer && row.form.withRoas ? ', and one for the recipient' : ''}`,
          plan: null,
        });
    }
  }
  if (row.kind === 'acquisition' && row.form.closeAfter)
    effects.push({
      what: 'account',
      name: row.accountName,
      today: 'Open',
      act: 'ends',
      on: `${row.accountName} closes when the transfer completes`,
      plan: null,
    });
  return {
    moves: spaces.map(({ resource }) => printResource(resource)),
    keeps: spaces.flatMap(({ rest }) => rest.map(printResource)),
    effects,
    fee: await plannedFee(read, row, { profile, now }),
  };
}

/**
 * The fee of a transfer: a share of what the moved IPv4 alone would cost. None for a return, an NIR, and the first addresses of a member. Of a merger: what the
 * profile sets. Null where none is due or the profile waives it.
 */
async function plannedFee(read: Read, row: Row, { profile, now }: { profile: Profile; now: Date | string }): Promise<TransferPlan['fee']> {
  const { requestPolicy: policy, currency } = profile;
  if (row.kind === 'acquisition')
    return isWaived(policy.acquisitionFee) || row.recipientName === null
      ? null
      : { currency, amount: policy.acquisitionFee, payer: row.recipientName, why: 'Fee of a merger or acquisition' };
  const payer = await payerOf(read, row);
  if (payer === null || isWaived(policy.transferFeeShare)) return null;
  const addresses = addressesOf(row.form.resources);
  if (addresses === 0n) return null;
  const amount = await transferFee(read, addresses, policy.transferFeeShare, todayOf(profile, now));
  const share = `${Number(policy.transferFeeShare) * 100} % of the annual fee of the moved addresses`;
  return { currency, amount, payer, why: share };
}
const isWaived = (amount: string): boolean => Number(amount) === 0;

/** Who pays the transfer fee; null where none is due. */
async function payerOf(read: Read, row: Row): Promise<string | null> {
  if (row.kind !== 'transfer') return null;
  const recipientName = row.form.incoming ? row.accountName : row.recipientName;
  if (recipientName === null) return row.otherRegistry || row.form.otherRegistry ? row.accountName : null;
  const recipient = await accountNamed(read, recipientName);
  if (recipient.accountType === 'confed-nir') return null;
  const held = await heldBlocks(read, recipientName);
  return held.some(({ kind }) => kind !== 'asn') ? recipientName : null;
}

/** The account that pays the fee of a case. */
export const feePayerOf = (row: Row): string => row.recipientName ?? row.accountName;

/** The fee of a transfer that was approved, with its invoice for those who pay it and for registry staff. */
export async function feeDueOf(read: Read, row: Row, { currency }: Profile, seesInvoice: boolean): Promise<ResourceRequestDetail['due']> {
  if (row.fee === null) return null;
  const invoice = await feeInvoiceOf(read, referenceOf(row.id));
  return {
    currency,
    amount: row.fee,
    payer: feePayerOf(row),
    paidOn: row.feePaidOn ?? invoice?.paidOn ?? null,
    invoice: seesInvoice && invoice ? { number: invoice.number, total: invoice.total, dueOn: invoice.dueOn } : null,
  };
}

/** The fee that is to be paid before completion, decided on approval; null where none is. */
export async function feeOnApproval(read: Read, row: Row, deps: { profile: Profile; now: Date | string }): Promise<string | null> {
  return (await plannedFee(read, row, deps))?.amount ?? null;
}
