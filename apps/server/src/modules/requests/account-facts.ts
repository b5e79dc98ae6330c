import { dayIn } from '@portal/contract/days';
import type { RequestForm, RequestKind } from '@portal/contract/requests/request-form';
import { isUnmet, type QueueFacts, type RequestCheck, type RequestTerms } from '@portal/contract/requests/requests';
import {
  countSet,
  isEmptySet,
  listPrefixes,
  listResources,
  lowestAsNumber,
  type NumberResource,
  parseResource,
  printPrefix,
  printResource,
  resourceSetOf,
  subtractSets,
  unionSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Profile, RequestPolicy } from '../../profile.ts';
import { accountNamed } from '../accounts/index.ts';
import { liveAnnouncements } from '../bgp-tables/index.ts';
import { freeAsnsOn, hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { heldByEntityOf } from '../nir/index.ts';
import {
  freeSpace,
  gateObstacle,
  type HeldBlock,
  heldBlocks,
  labNumbersOf,
  type LedgerMove,
  type MovingSpace,
  receivedFromLastPool,
  sizeForEvents,
  spaceToMove,
} from '../resources/index.ts';
import { areHoldingsStopped } from '../restraints/index.ts';
import { abuseMailboxOf, mailboxesOfIrts } from '../whois/index.ts';
import { blocksOf, openRequestOf, readable } from './open-request.ts';
import { referenceOf, isWithRegistry } from './request-row.ts';
import { abuseContactCheck, type AccountFacts, type AccountStanding, restraintChecks } from './rules/account.ts';
import { checkGrounds } from './rules/grounds.ts';
import { checkNeed } from './rules/need.ts';
import { announcedCheck, checkParts, type PartFacts } from './rules/parts.ts';
import { checkIncoming } from './incoming.ts';

/** The registry's day, as its rules count days. */
export const todayOf = ({ timeZone }: Profile, now: Date | string): string => dayIn(timeZone, new Date(now));

const sum = (blocks: readonly HeldBlock[], size: (block: HeldBlock) => string): bigint =>
  blocks.reduce((total, block) => total + BigInt(size(block)), 0n);

/** How an account stands with the registry: what is asked before anything of its holdings. */
export async function standingOf(
  read: Read,
  accountName: string,
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<AccountStanding> {
  const [account, overdueInvoice, restrained, abuseMailbox, mailboxes] = await Promise.all([
    accountNamed(read, accountName),
    hasUnpaidInvoiceDueBefore(read, accountName, todayOf(profile, now)),
    areHoldingsStopped(read, accountName, now),
    abuseMailboxOf(read, accountName, profile),
    mailboxesOfIrts(read, accountName),
  ]);
  return {
    accountStatus: account.accountStatus,
    accountType: account.accountType,
    memberSince: account.memberSince,
    overdueInvoice,
    restrained,
    silentIrt: mailboxes.find(({ state }) => state === 'restricted')?.irt ?? null,
    abuseMailbox,
    unvalidatedMailbox: mailboxes.find(({ state }) => state !== 'valid')?.mailbox ?? null,
    validMailboxes: mailboxes.filter(({ state }) => state === 'valid').map(({ mailbox }) => mailbox.toLowerCase()),
    asksValidation: profile.requestPolicy.abuseMailboxValidated,
  };
}

/**
 * Gathers the facts about an account for a request of a kind. For a sub-account of a national registry, the holdings of its organisation count.
 * @param except a case that does not count as open
 */
export async function factsOf(
  read: Read,
  accountName: string,
  {
    kind,
    except = null,
    subaccountId = null,
    sentAt = null,
    profile,
    now,
  }: {
    kind: RequestKind;
    except?: number | null;
    subaccountId?: number | null;
    /** The instant at which the request was sent; null for a draft. */
    sentAt?: string | null;
    profile: Profile;
    now: Date | string;
  },
): Promise<AccountFacts> {
  const today = todayOf(profile, now);
  const standing = await standingOf(read, accountName, { profile, now });
  const blocks = subaccountId === null ? await heldBlocks(read, accountName) : await heldByEntityOf(read, subaccountId);
  const open = await openRequestOf(read, accountName, kind, { except, subaccountId });
  const ipv4 = blocks.filter(block => block.kind === 'ipv4');
  return {
    ...standing,
    today,
    sentOn: sentAt === null ? today : todayOf(profile, sentAt),
    lastPool: await lastPoolOf(read, { accountName, subaccountId, profile, held: ipv4 }),
    ipv4: sum(ipv4, ({ size }) => size),
    ipv4Used: sum(ipv4, ({ used, type, size }) => (type === 'assigned' ? size : used)),
    ipv4Current: sum(
      ipv4.filter(({ source, purpose }) => source !== 'historical' && purpose !== 'temporary'),
      ({ size }) => size,
    ),
    ipv6: blocks
      // Event space is returned, so it doesn't count as a first block.
      .filter(block => block.kind === 'ipv6' && block.purpose === null)
      .map(({ resource, used }) => ({ resource, length: Number(resource.split('/')[1]), used56: BigInt(used) >> 72n })),
    asns: Number(
      sum(
        blocks.filter(block => block.kind === 'asn'),
        ({ size }) => size,
      ),
    ),
    freeAsns: await freeAsnsOn(read, standing.accountType, today),
    ownAsns: resourceSetOf(blocks.filter(block => block.kind === 'asn').map(({ resource }) => parseResource(resource))),
    lab: labNumbersOf(profile),
    exchanges: ipv4.filter(({ purpose }) => purpose === 'exchange').map(({ resource }) => resource),
    events: blocks.filter(block => block.kind === kind && block.purpose === 'temporary').map(({ resource }) => resource),
    eventsInUse: kind === 'ipv4' || kind === 'ipv6' || kind === 'asn' ? await sizeForEvents(read, kind) : 0n,
    open,
    // Read only when needed: a pool can have thousands of blocks.
    twoByteLeft: kind === 'asn' && lowestAsNumber(await freeSpace(read, 'asn'), { twoByte: true }) !== null,
  };
}

/**
 * Addresses of the last pool that count against the share of an account: all it received and didn't return, sold or not; or only what it still holds,
 * if the profile says so. Delegations from the last pool have a hold, except for exchanges and events. Sub-accounts of a national registry can't
 * sell, so their holdings count.
 */
async function lastPoolOf(
  read: Read,
  {
    accountName,
    subaccountId,
    profile,
    held,
  }: { accountName: string; subaccountId: number | null; profile: Profile; held: readonly HeldBlock[] },
): Promise<bigint> {
  const now = held.filter(({ holdUntil, source }) => holdUntil !== null && source === 'delegated');
  if (subaccountId !== null || !profile.requestPolicy.lastPoolCountsSold) return sum(now, ({ size }) => size);
  const returned = resourceSetOf((await returnedBy(read, accountName)).map(readable).filter(resource => resource !== null));
  const kept = subtractSets(await receivedFromLastPool(read, accountName), returned);
  return countSet(unionSets(kept, resourceSetOf(now.map(({ resource }) => parseResource(resource)))), 'ipv4');
}

/** The resources that an account returned to the registry. */
const returnedBy = async (read: Pick<Read, 'rows'>, accountName: string): Promise<string[]> =>
  (
    await read.rows<{
      resource: string | null;
    }>(sql`select jsonb_array_elements_text(outcome -> 'resources') as resource from resource_request
      where account_name = ${accountName} and kind = 'return' and state = 'completed'`)
  ).flatMap(({ resource }) => resource ?? []);

/** How each kind of hand-over moves numbers, as the ledger's gate names it. */
const moves = { transfer: 'transferred', acquisition: 'merged', return: 'returned' } as const;
/** How a case moves numbers in the ledger. */
export const moveOf = ({ kind }: { kind: RequestKind }): LedgerMove => (kind in moves ? moves[kind as keyof typeof moves] : 'delegated');

/** A part of a delegation as the rules see it. */
function partFacts(resourceText: string, space: MovingSpace, { kind, profile }: { kind: RequestKind; profile: Profile }): PartFacts {
  const { resource, holdUntil, purpose, lockedPart, source, ownLock } = space;
  return {
    resource: resourceText,
    kind: resource.family,
    obstacle: gateObstacle(moveOf({ kind }), { ...space, historical: source === 'historical' }, profile),
    holdUntil,
    purpose,
    lockedBy: lockedPart?.reference ?? null,
    historical: source === 'historical',
    ownLock,
  };
}

/** Checks a case by the present facts. @param form null before anything is answered */
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
    submittedAt = null,
    recoveryGround = null,
    direct = false,
  }: {
    accountName: string;
    kind: RequestKind;
    form: RequestForm | null;
    recipientName?: string | null;
    receiveForm?: RequestForm | null;
    id?: number | null;
    subaccountId?: number | null;
    submittedAt?: string | null;
    /** The registry recovers the numbers itself. */
    recoveryGround?: string | null;
    /** The registry delegates without a request: two people judge what the policy normally requires. */
    direct?: boolean;
  },
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<RequestCheck[]> {
  const policy = profile.requestPolicy;
  const facts = await factsOf(read, accountName, { kind, except: id, subaccountId, sentAt: submittedAt, profile, now });
  if (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn') {
    const checks = checkGrounds(kind, form, facts, policy);
    return direct ? checks.map(judged) : checks;
  }
  if (kind === 'pre-approval') return checkNeed(form, facts, form?.blocks ?? 0, policy);
  if (kind === 'transfer' && form?.incoming) return checkIncoming(read, form, facts, profile);
  // Historical resources are held without an agreement, but can be transferred: the recipient holds them under its own agreement.
  const isHistorical = facts.accountType === 'historical';
  const standing = checkNeed(null, facts, 0, policy)
    .filter(({ checkId }) => kind !== 'return' || checkId === 'open' || checkId === 'restraint')
    .filter(({ checkId }) => checkId !== 'agreement' || !isHistorical);
  if (!form || form.resources.length === 0) return standing;
  // A draft may contain anything; invalid resources are not held.
  const asked = form.resources.map(readable);
  const held = await spaceToMove(
    read,
    accountName,
    asked.filter(resource => resource !== null),
    id === null ? null : referenceOf(id),
  );
  const spaces = asked.map(resource => (resource === null ? null : (held.shift() ?? null)));
  // The registry takes back recovered numbers and event space. What prevents a holder from giving them away doesn’t apply.
  const takenBack = recoveryGround !== null || (kind === 'return' && spaces.every(space => space?.purpose === 'temporary'));
  const lost = form.resources.filter((_, index) => !spaces[index]);
  const parts = spaces.flatMap((space, index) => (space ? [partFacts(form.resources[index]!, space, { kind, profile })] : []));
  const checks: RequestCheck[] = [
    // A recovery goes on: two people of the registry take the numbers back.
    ...(takenBack ? (recoveryGround === null ? restraintChecks(facts) : []) : standing),
    {
      checkId: 'holder',
      fact: 'Held by the account',
      known: lost.length === 0 ? `${form.resources.length} of ${form.resources.length}` : `Not held: ${lost.join(', ')}`,
      source: 'Ledger',
      state: lost.length === 0 ? 'met' : 'unmet',
      policy: 'Each lies inside one delegation of the account',
    },
    ...checkParts(kind, !takenBack ? parts : parts.map(part => ({ ...part, ownLock: false })), facts.today, profile),
  ];
  if (kind === 'acquisition' && form.closeAfter) checks.push(await closingCheck(read, accountName, asked));
  if (kind === 'return') return [...checks, ...(await announcedNow(read, asked))];
  if (recipientName === null) return checks;
  const theirs = await factsOf(read, recipientName, { kind, except: id, profile, now });
  checks.push(recipientCheck(theirs, receiveForm));
  if (kind !== 'transfer' || !receiveForm) return checks;
  return [...checks, ...needOfRecipient(receiveForm, theirs, blocksOf(form.resources), policy)];
}

/** Checks whether the addresses that are given back are still routed; nothing for AS numbers. */
async function announcedNow(read: Pick<Read, 'rows'>, asked: readonly (NumberResource | null)[]): Promise<RequestCheck[]> {
  const space = resourceSetOf(asked.filter(resource => resource !== null));
  const prefixes = [...listPrefixes(space, 'ipv4'), ...listPrefixes(space, 'ipv6')].map(printPrefix);
  return prefixes.length === 0 ? [] : announcedCheck(await liveAnnouncements(read, prefixes));
}

/** Whether the recipient can receive anything. */
function recipientCheck(theirs: AccountFacts, receiveForm: RequestForm | null): RequestCheck {
  // The recipient names its abuse mailbox in its answer.
  const reachable = abuseContactCheck(theirs, receiveForm?.abuseMailbox ?? null).state === 'met';
  const able = theirs.accountStatus === 'open' && !theirs.overdueInvoice && !theirs.restrained && reachable;
  return {
    checkId: 'recipient',
    fact: 'Recipient can receive',
    known: able
      ? 'The account is open and nothing is overdue'
      : theirs.accountStatus === 'open'
        ? theirs.restrained
          ? 'Registry staff have stopped changes of the recipient’s holdings'
          : theirs.overdueInvoice || theirs.silentIrt !== null
            ? 'Something is overdue at the recipient'
            : 'The recipient has no valid mailbox for abuse reports'
        : `The account is ${theirs.accountStatus}`,
    source: 'Accounts, billing and whois',
    state: able ? 'met' : 'unmet',
    policy: 'An open account without overdue invoices',
  };
}

/** The recipient's need for so many blocks; empty if the policy asks for none. */
function needOfRecipient(receiveForm: RequestForm, theirs: AccountFacts, blocks: number, policy: RequestPolicy): RequestCheck[] {
  const rule = 'Plan for 24 months, or a pre-approval';
  if (receiveForm.usePreApproval)
    return [
      {
        checkId: 'need',
        fact: 'Recipient’s need',
        known: 'Covered by its pre-approval',
        source: 'Pre-approvals',
        state: 'met',
        policy: rule,
      },
    ];
  const need = checkNeed(receiveForm, theirs, blocks, policy).find(({ checkId }) => checkId === 'need');
  return need ? [{ ...need, fact: 'Recipient’s need', policy: rule }] : [];
}

/** Checks that staff can't overrule: otherwise no one could be reached about the numbers, or a restraint would be passed by. */
const beyondJudgement: readonly string[] = ['open', 'abuse-contact', 'restraint'];
const judged = (each: RequestCheck): RequestCheck =>
  isUnmet(each) && !beyondJudgement.includes(each.checkId) ? { ...each, state: 'review' } : each;

/** Checks that an account which closes after its merger holds nothing else. */
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

/** Returns the change of a party’s holdings by a hand-over: addresses, /56 blocks and AS numbers. Null while nothing is chosen. @param sign -1 for who gives */
export function movedHoldings(texts: readonly string[], sign: 1 | -1): { ipv4: bigint; ipv6: bigint; asns: number } | null {
  const moved = resourceSetOf(texts.map(readable).filter(resource => resource !== null));
  if (isEmptySet(moved)) return null;
  return {
    ipv4: BigInt(sign) * countSet(moved, 'ipv4'),
    ipv6: BigInt(sign) * (countSet(moved, 'ipv6') >> 72n),
    asns: sign * Number(countSet(moved, 'asn')),
  };
}

/** The additional annual fee of an account for the numbers it would get: addresses, /56 blocks and AS numbers. */
export function holdingChangeOf(kind: RequestKind, form: RequestForm): { ipv4: bigint; ipv6: bigint; asns: number } {
  if (kind === 'ipv4') return { ipv4: form.length > 0 && form.length <= 32 ? 1n << BigInt(32 - form.length) : 0n, ipv6: 0n, asns: 0 };
  if (kind === 'ipv6') return { ipv4: 0n, ipv6: form.length > 0 && form.length <= 56 ? 1n << BigInt(56 - form.length) : 0n, asns: 0 };
  if (kind === 'asn') return { ipv4: 0n, ipv6: 0n, asns: 1 };
  return { ipv4: 0n, ipv6: 0n, asns: 0 };
}

/** Answers whose times are listed one by one. */
const LISTED_ANSWERS = 200;

const answeredSince = (
  now: Date,
) => sql`from resource_request where state in ('completed', 'rejected') and not by_robot and submitted_at is not null
    and resolved_at >= ${now.toISOString()}::timestamptz - interval '30 days'`;
const medianOf = sql`percentile_cont(0.5) within group (order by extract(epoch from resolved_at - submitted_at) / 86400)::float8`;
/** Five of seven days are working days. */
const workingDays = (days: number, parts: number): number => Math.round(((days * 5) / 7) * parts) / parts;

/** The median of the working days until each decision of people over the last 30 days; null without any. */
export async function medianDaysOf(read: Pick<Read, 'rows'>, now: Date): Promise<number | null> {
  const [row] = await read.rows<{ median: number | null }>(sql`select ${medianOf} as median ${answeredSince(now)}`);
  return row!.median === null ? null : workingDays(row!.median, 10);
}

/** How many requests wait for the registry, and the working days until each of its decisions over the last 30 days, with their median. */
export async function queueFacts(read: Pick<Read, 'rows'>, now: Date): Promise<QueueFacts> {
  const answered = answeredSince(now);
  const [row] = await read.rows<{ waiting: number; inReview: number; median: number | null; days: number[] }>(sql`select
    (select count(*)::int from resource_request r where ${isWithRegistry}) as waiting,
    (select count(*)::int from resource_request where state = 'in-review') as in_review,
    (select ${medianOf} ${answered}) as median,
    (select coalesce(json_agg(days order by days), '[]') from (select (extract(epoch from resolved_at - submitted_at) / 86400)::float8 as days ${answered}
      order by resolved_at desc limit ${LISTED_ANSWERS}) latest) as days`);
  const { waiting, inReview, median, days } = row!;
  return {
    waiting,
    inReview,
    medianDays: median === null ? null : workingDays(median, 10),
    answerDays: days.map(each => workingDays(each, 4)),
  };
}

/** The figures of the registry's rules that forms and cases explain. */
export const termsOf = ({ requestPolicy, holdYears }: Pick<Profile, 'requestPolicy' | 'holdYears'>): RequestTerms => ({
  acknowledgeDays: requestPolicy.acknowledgeDays,
  feeDays: requestPolicy.transferFeeDays,
  holdDays: requestPolicy.holdDays,
  draftDays: requestPolicy.draftDays,
  answerDays: requestPolicy.answerDays,
  holdYears,
  ipv4Smallest: requestPolicy.ipv4Smallest,
});
