import { dayIn } from '@portal/contract/days';
import type { RequestForm, RequestKind } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import {
  coverRange,
  listResources,
  lowestAsNumber,
  type NumberResource,
  parseResource,
  prefixOfRange,
  printResource,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed } from '../accounts/index.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { heldByEntityOf } from '../nir/index.ts';
import { freeSpace, type HeldBlock, heldBlocks, type MovingSpace, spaceToMove } from '../resources/index.ts';
import { restrictingMailboxes } from '../whois/index.ts';
import { blocksOf, openRequestOf, readable } from './open-request.ts';
import type { AccountFacts } from './rules/account.ts';
import { checkAsn } from './rules/asn.ts';
import { checkIpv4 } from './rules/ipv4.ts';
import { checkIpv6 } from './rules/ipv6.ts';
import { checkNeed } from './rules/need.ts';
import { checkParts, type PartFacts } from './rules/parts.ts';
import { checkIncoming } from './transfers/incoming.ts';

/** The registry's day, as its rules count days. */
export const todayOf = ({ timeZone }: Profile, now: Date | string): string => dayIn(timeZone, new Date(now));

const sum = (blocks: readonly HeldBlock[], size: (block: HeldBlock) => string): bigint =>
  blocks.reduce((total, block) => total + BigInt(size(block)), 0n);

/**
 * Gathers what the registry knows of an account that asks for something of a kind. For a sub-account of a national registry what counts is what its organisation holds.
 * @param except a case that does not count as open
 */
export async function factsOf(
  read: Read,
  accountName: string,
  {
    kind,
    except = null,
    subaccountId = null,
    profile,
    now,
  }: { kind: RequestKind; except?: number | null; subaccountId?: number | null; profile: Profile; now: Date | string },
): Promise<AccountFacts> {
  const today = todayOf(profile, now);
  const account = await accountNamed(read, accountName);
  const blocks = subaccountId === null ? await heldBlocks(read, accountName) : await heldByEntityOf(read, subaccountId);
  const [silent] = await restrictingMailboxes(read, accountName);
  const open = await openRequestOf(read, accountName, kind, { except, subaccountId });
  const ipv4 = blocks.filter(block => block.kind === 'ipv4');
  return {
    accountStatus: account.accountStatus,
    accountType: account.accountType,
    today,
    overdueInvoice: await hasUnpaidInvoiceDueBefore(read, accountName, today),
    silentIrt: silent?.irt ?? null,
    // What came from the last pool was delegated with a hold; space for an exchange or an event has none.
    lastPool: sum(
      ipv4.filter(({ holdUntil, source }) => holdUntil !== null && source === 'delegated'),
      ({ size }) => size,
    ),
    ipv4: sum(ipv4, ({ size }) => size),
    ipv4Used: sum(ipv4, ({ used, type, size }) => (type === 'assigned' ? size : used)),
    ipv4Current: sum(
      ipv4.filter(({ source, purpose }) => source !== 'historical' && purpose !== 'temporary'),
      ({ size }) => size,
    ),
    ipv6: blocks
      // Space for an event goes back: its holder has no first block by it.
      .filter(block => block.kind === 'ipv6' && block.purpose === null)
      .map(({ resource, used }) => ({ resource, length: Number(resource.split('/')[1]), used56: BigInt(used) >> 72n })),
    asns: Number(
      sum(
        blocks.filter(block => block.kind === 'asn'),
        ({ size }) => size,
      ),
    ),
    open,
    // Read only where it is asked: a pool can have thousands of blocks.
    twoByteLeft: kind === 'asn' && lowestAsNumber(await freeSpace(read, 'asn'), { twoByte: true }) !== null,
  };
}

/** A part of a delegation as the rules see it. */
function partFacts(resourceText: string, space: MovingSpace): PartFacts {
  const { resource, rest, holdUntil, purpose, status, source, ownLock } = space;
  const lengthsOf = (one: MovingSpace['resource']): number[] =>
    one.family === 'asn' ? [] : (prefixOfRange(one) ? [prefixOfRange(one)!] : coverRange(one)).map(({ length }) => length);
  return {
    resource: resourceText,
    kind: resource.family,
    lengths: lengthsOf(resource),
    restLengths: rest.flatMap(lengthsOf),
    holdUntil,
    purpose,
    status,
    historical: source === 'historical',
    ownLock,
  };
}

/** Checks a case by what is known now. @param form null before anything is answered */
export async function checkRequest(
  read: Read,
  {
    accountName,
    kind,
    form,
    recipientName = null,
    receiveForm = null,
    id = null,
    subaccountId = null,
    isLocked = false,
  }: {
    accountName: string;
    kind: RequestKind;
    form: RequestForm | null;
    recipientName?: string | null;
    receiveForm?: RequestForm | null;
    id?: number | null;
    subaccountId?: number | null;
    isLocked?: boolean;
  },
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<RequestCheck[]> {
  const policy = profile.requestPolicy;
  const facts = await factsOf(read, accountName, { kind, except: id, subaccountId, profile, now });
  if (kind === 'ipv4') return checkIpv4(form, facts, policy);
  if (kind === 'ipv6') return checkIpv6(form, facts, policy);
  if (kind === 'asn') return checkAsn(form, facts, policy);
  if (kind === 'pre-approval') return checkNeed(form, facts, form?.blocks ?? 0, policy);
  if (kind === 'transfer' && form?.incoming) return checkIncoming(read, form, facts, policy);
  // Historical resources are held without an agreement. Their holder hands them on all the same: the recipient holds them under its own.
  const isHistorical = facts.accountType === 'historical';
  const standing = checkNeed(null, facts, 0, policy)
    .filter(({ checkId }) => kind !== 'return' || checkId === 'open')
    .filter(({ checkId }) => checkId !== 'agreement' || !isHistorical);
  if (!form || form.resources.length === 0) return standing;
  // A draft may hold anything: what is no resource is not held.
  const asked = form.resources.map(readable);
  const held = await spaceToMove(
    read,
    accountName,
    asked.filter(resource => resource !== null),
  );
  const spaces = asked.map(resource => (resource === null ? null : (held.shift() ?? null)));
  const lost = form.resources.filter((_, index) => !spaces[index]);
  const parts = spaces.flatMap((space, index) => (space ? [partFacts(form.resources[index]!, space)] : []));
  const checks: RequestCheck[] = [
    ...standing,
    {
      checkId: 'holder',
      fact: 'Held by the account',
      known: lost.length === 0 ? `${form.resources.length} of ${form.resources.length}` : `Not held: ${lost.join(', ')}`,
      source: 'Ledger',
      state: lost.length === 0 ? 'met' : 'unmet',
      policy: 'Each lies inside one delegation of the account',
    },
    ...checkParts(kind, parts, { today: facts.today, locked: isLocked }, policy),
  ];
  if (kind === 'acquisition' && form.closeAfter) checks.push(await closingCheck(read, accountName, asked));
  if (kind === 'return' || recipientName === null) return checks;
  const theirs = await factsOf(read, recipientName, { kind, except: id, profile, now });
  const able = theirs.accountStatus === 'open' && !theirs.overdueInvoice && theirs.silentIrt === null;
  checks.push({
    checkId: 'recipient',
    fact: 'Recipient can receive',
    known: able
      ? 'The account is open and nothing is overdue'
      : theirs.accountStatus === 'open'
        ? 'Something is overdue at the recipient'
        : `The account is ${theirs.accountStatus}`,
    source: 'Accounts, billing and whois',
    state: able ? 'met' : 'unmet',
    policy: 'An open account without overdue invoices',
  });
  if (kind !== 'transfer' || !receiveForm) return checks;
  const rule = 'Plan for 24 months, or a pre-approval';
  if (receiveForm.usePreApproval)
    return [
      ...checks,
      {
        checkId: 'need',
        fact: 'Recipient’s need',
        known: 'Covered by its pre-approval',
        source: 'Pre-approvals',
        state: 'met',
        policy: rule,
      },
    ];
  const need = checkNeed(receiveForm, theirs, blocksOf(form.resources), policy).find(({ checkId }) => checkId === 'need');
  return need ? [...checks, { ...need, fact: 'Recipient’s need', policy: rule }] : checks;
}

/** Checks that an account which closes after its merger holds nothing else: it can't look after what is left. */
async function closingCheck(read: Read, accountName: string, moved: readonly (NumberResource | null)[]): Promise<RequestCheck> {
  const held = resourceSetOf((await heldBlocks(read, accountName)).map(({ resource }) => parseResource(resource)));
  const left = listResources(subtractSets(held, resourceSetOf(moved.filter(resource => resource !== null)))).map(printResource);
  return {
    checkId: 'closing',
    fact: 'Holds no resources',
    known:
      left.length === 0
        ? 'Everything moves'
        : `Left: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}`,
    source: 'Ledger',
    state: left.length === 0 ? 'met' : 'unmet',
    policy: 'An account closes only when it holds nothing any more',
  };
}

/** The annual fees an account would have besides, by what it gets: addresses, /56 blocks and AS numbers. */
export function holdingChangeOf(kind: RequestKind, form: RequestForm): { ipv4: bigint; ipv6: bigint; asns: number } {
  if (kind === 'ipv4') return { ipv4: form.length > 0 && form.length <= 32 ? 1n << BigInt(32 - form.length) : 0n, ipv6: 0n, asns: 0 };
  if (kind === 'ipv6') return { ipv4: 0n, ipv6: form.length > 0 && form.length <= 56 ? 1n << BigInt(56 - form.length) : 0n, asns: 0 };
  if (kind === 'asn') return { ipv4: 0n, ipv6: 0n, asns: 1 };
  return { ipv4: 0n, ipv6: 0n, asns: 0 };
}

/** How many requests wait for the registry, and the median of working days until its decision over the last 30 days. */
export async function queueFacts(read: Pick<Read, 'rows'>, now: Date): Promise<{ waiting: number; medianDays: number | null }> {
  const [row] = await read.rows<{ waiting: number; median: number | null }>(sql`select
    (select count(*)::int from resource_request where state in ('submitted', 'in-review')) as waiting,
    (select percentile_cont(0.5) within group (order by extract(epoch from resolved_at - submitted_at) / 86400)::float8 from resource_request
      where state in ('completed', 'rejected') and not by_robot and submitted_at is not null and resolved_at >= ${now.toISOString()}::timestamptz - interval '30 days') as median`);
  // Five of seven days are working days.
  return { waiting: row!.waiting, medianDays: row!.median === null ? null : Math.round(((row!.median * 5) / 7) * 10) / 10 };
}
