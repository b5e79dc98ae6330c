import { openRequestStates } from '@portal/contract/requests/life';
import type { AnswerOf } from '@portal/contract';
import type { Attachment } from '@portal/contract/documents/documents';
import { type RequestKind, requestKindNames } from '@portal/contract/requests/request-form';
import type { ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { formatCount } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import type { Profile } from '../../profile.ts';
import { estimateFee } from '../billing/index.ts';
import { attachmentsOf } from '../documents/index.ts';
import { endedEventSpace, heldBlocks, heldFor } from '../resources/index.ts';
import { checkRequest, factsOf, holdingChangeOf, movedHoldings, queueFacts, termsOf, todayOf } from './account-facts.ts';
import { whoisNamesOf } from './asked-names.ts';
import { checksForStaff, checksFor } from './checks-for-party.ts';
import { documentsFor, pathsOf } from './request-offers.ts';
import { eventsOf, forMember, isOpen, ownRequest, partyOf, type Row, referenceOf, requestRows } from './request-row.ts';
import { readResources } from './open-request.ts';
import { networksSeen } from './seen-networks.ts';
import { questionTo } from './questions.ts';
import { blocks } from './rules/check.ts';
import { heldOf } from './transfers/held-rows.ts';
import { versionOf } from './transfers/offer-version.ts';
import { transferOutlookOf } from './transfer-outlook.ts';
import { feeDueOf, feePayerOf, planOf } from './transfers/transfer-plan.ts';

/** The reference under which a party's files are stored, separate for recipient and source. */
export const filesOf = (row: Pick<Row, 'id' | 'accountName'>, accountName: string): string =>
  accountName === row.accountName ? referenceOf(row.id) : `${referenceOf(row.id)}-R`;

export const papersOf = async (read: Read, reference: string): Promise<Attachment[]> =>
  (await attachmentsOf(read, [reference])).get(reference)!;

/** The annual fee of a party, now and with what an open case gives it or takes from it. Null for a hand-over of nothing yet, and for a pre-approval. */
async function feeOf(read: Read, row: Row, reader: string, { profile, now }: PolicyNow): Promise<ResourceRequestDetail['fee']> {
  if (row.kind === 'pre-approval' || !isOpen(row)) return null;
  const delegates = row.kind === 'ipv4' || row.kind === 'ipv6' || row.kind === 'asn';
  const gives = reader === row.accountName && !row.form.incoming;
  const holdings = delegates ? holdingChangeOf(row.kind, row.form) : movedHoldings(row.form.resources, gives ? -1 : 1);
  if (!holdings) return null;
  const estimate = await estimateFee(read, reader, holdings, { day: todayOf(profile, now), profile });
  return estimate && { currency: profile.currency, now: estimate.now, after: estimate.after, once: null };
}

/** The annual fee of an account with numbers that it could request together. */
export async function getRequestFee({
  read,
  account: { accountName },
  query: { ipv4, ipv6, asns },
  registry: { profile, now },
}: Act<typeof requests.getRequestFee>): Promise<AnswerOf<typeof requests.getRequestFee>> {
  const more = {
    ipv4: ipv4 === undefined ? 0n : 1n << BigInt(32 - ipv4),
    ipv6: ipv6 === undefined ? 0n : 1n << BigInt(56 - ipv6),
    asns,
  };
  const fee = await estimateFee(read, accountName, more, { day: todayOf(profile, now), profile });
  return { fee: fee && { currency: profile.currency, ...fee } };
}

/** Returns the resource and last day of an open return because its event is over; null for other cases. */
export async function returnDueOf(
  read: Pick<Read, 'rows'>,
  row: Row,
  { profile, now }: PolicyNow,
): Promise<ResourceRequestDetail['returnDue']> {
  if (row.kind !== 'return' || row.state === 'draft' || !isOpen(row)) return null;
  const ended = await endedEventSpace(read, row.accountName, readResources(row.form.resources).resources, todayOf(profile, now));
  return ended && { resource: ended.resource, endedOn: ended.endsOn };
}

/** A complete case, for one of its parties, or for registry staff as the requester sees it. */
export async function detailFor(
  read: Read,
  row: Row,
  reader: string,
  registry: PolicyNow,
  forStaff = false,
): Promise<ResourceRequestDetail> {
  const isSource = reader === row.accountName;
  const checks = isOpen(row) ? await checkRequest(read, row, registry) : [];
  return {
    ...forMember(row, reader),
    version: await versionOf(read, row, registry.profile),
    terms: termsOf(registry.profile),
    // One party's reasons and documents are not shown to the other.
    form: isSource ? row.form : { ...row.form, reason: '' },
    receiveForm: isSource ? null : row.receiveForm,
    checks: forStaff ? checksForStaff(checks, row) : checksFor(checks, row, reader),
    documents: documentsFor(row.kind, row.form),
    papers: await papersOf(read, filesOf(row, reader)),
    question: questionTo(row, reader)?.words ?? null,
    events: await eventsOf(read, row.id, { accountName: reader }),
    fee: await feeOf(read, row, reader, registry),
    whois: await whoisNamesOf(read, row, forStaff ? null : reader, registry.profile),
    plan: await planOf(read, row, forStaff ? 'staff' : isSource ? 'source' : 'recipient', registry),
    returnDue: await returnDueOf(read, row, registry),
    recovery: row.recoveryGround && { ground: row.recoveryGround, noticeUntil: row.noticeUntil! },
    direct: row.direct ? { resource: (await heldFor(read, referenceOf(row.id)))[0]?.resource ?? null } : null,
    held: row.state === 'completed' ? await heldOf(read, row.id) : [],
    due: await feeDueOf(read, row, registry.profile, forStaff || reader === feePayerOf(row)),
  };
}

export const getRequest = async ({
  read,
  account: { accountName },
  params: { requestId },
  registry,
}: Act<typeof requests.getRequest>): Promise<ResourceRequestDetail> =>
  detailFor(read, await ownRequest(read, accountName, requestId), accountName, registry);

/** The cases of an account as either party: open ones by age, then closed ones, newest first. */
export async function listRequests({
  read,
  account: { accountName },
  query: { status, kind, q, offset, limit },
  registry: { now },
}: Act<typeof requests.listRequests>): Promise<AnswerOf<typeof requests.listRequests>> {
  const open = sql`r.state = any(${[...openRequestStates]}::text[])`;
  const conditions = [partyOf(accountName), sql`not (r.state = 'expired' and r.submitted_at is null)`];
  if (status !== 'all') conditions.push(status === 'open' ? open : sql`not ${open}`);
  if (kind) conditions.push(sql`r.kind = ${kind}`);
  if (q.trim() !== '') {
    const pattern = containsPattern(q.trim());
    conditions.push(
      sql`('REQ-' || r.resource_request_id ilike ${pattern} or (r.form ->> 'resources') ilike ${pattern} or (r.account_name = ${accountName} and r.form::text ilike ${pattern}) or r.recipient_name ilike ${pattern} or r.outcome::text ilike ${pattern})`,
    );
  }
  const where = sql.join(conditions, sql` and `);
  const [rows, [counted], queue] = await Promise.all([
    requestRows(
      read,
      sql`${where} order by ${open} desc, case when ${open} then r.resource_request_id end, r.resource_request_id desc limit ${limit} offset ${offset}`,
    ),
    read.rows<{ total: number }>(sql`select count(*)::int as total from resource_request r where ${where}`),
    queueFacts(read, now),
  ]);
  return { rows: rows.map(row => forMember(row, accountName)), total: counted!.total, queue };
}

/** Returns what an account can request, before anything is filled in. @throws Failure NOT_FOUND for an unknown kind */
export async function getEligibility({
  read,
  account: { accountName },
  params: { kind: given },
  registry,
}: Act<typeof requests.getEligibility>): Promise<AnswerOf<typeof requests.getEligibility>> {
  const kind = requestKindNames.find(name => name === given);
  if (!kind) throw refuse('NOT_FOUND', { what: 'This kind of request' });
  const { profile, now } = registry;
  const policy = profile.requestPolicy;
  const facts = await factsOf(read, accountName, { kind, profile, now });
  const [checks, queue, open] = await Promise.all([
    checkRequest(read, { accountName, kind, form: null }, registry),
    queueFacts(read, now),
    requestRows(
      read,
      sql`r.account_name = ${accountName} and r.kind = ${kind} and r.resolved_at is null and r.subaccount_id is null and not r.direct
      order by r.state = 'draft', r.resource_request_id desc limit 1`,
    ),
  ]);
  // An account without an abuse mailbox can enter one in the form.
  const mayEnter = facts.silentIrt === null && facts.abuseMailbox === '';
  const against = blocks(checks.filter(({ checkId }) => checkId !== 'single' && !(mayEnter && checkId === 'abuse-contact')));
  const limit = 1n << BigInt(32 - policy.ipv4Limit);
  const left = limit - facts.lastPool;
  const [row] = open;
  return {
    kind,
    checks,
    why: against ? `${against.fact}: ${against.known}` : null,
    paths: pathsOf(kind, facts, policy),
    documents: documentsFor(kind, null),
    open: row ? { requestId: String(row.id), reference: referenceOf(row.id), state: row.state } : null,
    room: roomOf(kind, { left, limit, facts, policy }),
    share: shareOf(kind, { limit, facts }),
    networks: kind === 'asn' ? await networksSeen(read, accountName, facts) : [],
    terms: termsOf(profile),
    queue,
    transfer: kind === 'transfer' ? await transferOutlookOf(read, accountName, registry) : null,
    oneClick: kind === 'ipv6' ? await oneClickOffer(read, accountName, registry) : null,
  };
}

type Room = { left: bigint; limit: bigint; facts: Awaited<ReturnType<typeof factsOf>>; policy: Profile['requestPolicy'] };
function roomOf(kind: RequestKind, { left, limit, facts, policy }: Room): string {
  if (kind === 'ipv4')
    return left > 0n
      ? `${formatCount(left)} of ${formatCount(limit)} addresses are left under the limit`
      : `The account has its share of the last pool. More IPv4 comes by transfer`;
  if (kind === 'ipv6')
    return facts.ipv6.length === 0
      ? `A /${policy.ipv6Provider} for providers, a /${policy.ipv6EndSite} for own networks`
      : 'More space is added next to your block where that is free';
  if (kind === 'asn' && facts.freeAsns === null) return 'No fees are announced for this year';
  if (kind === 'asn') return facts.asns < facts.freeAsns! ? 'This one has no fee' : 'Each further AS number has a yearly fee';
  return '';
}

/** The figures behind the remainder: IPv4 addresses of the last pool, or AS numbers that have no fee. */
function shareOf(kind: RequestKind, { limit, facts }: Pick<Room, 'limit' | 'facts'>): AnswerOf<typeof requests.getEligibility>['share'] {
  if (kind === 'ipv4') return { held: String(facts.lastPool), limit: String(limit) };
  if (kind === 'asn') return { held: String(facts.asns), limit: facts.freeAsns === null ? null : String(facts.freeAsns) };
  return null;
}

/** One-click IPv6 for a member with IPv4 under an agreement and without IPv6, in the size that follows from its IPv4; otherwise null with a reason. */
export async function oneClickOffer(
  read: Read,
  accountName: string,
  { profile, now }: PolicyNow,
): Promise<{ length: number; why: string } | null> {
  const { requestPolicy: policy } = profile;
  const facts = await factsOf(read, accountName, { kind: 'ipv6', profile, now });
  if (
    facts.ipv6.length > 0 ||
    facts.ipv4Current === 0n ||
    facts.accountStatus !== 'open' ||
    facts.overdueInvoice ||
    facts.silentIrt !== null ||
    facts.abuseMailbox === ''
  )
    return null;
  const allocated = (await heldBlocks(read, accountName)).some(
    ({ kind, type, source }) => kind === 'ipv4' && type === 'allocated' && source !== 'historical',
  );
  return allocated
    ? { length: policy.ipv6Provider, why: 'The account holds an IPv4 allocation and no IPv6' }
    : { length: policy.ipv6EndSite, why: 'The account holds an IPv4 assignment and no IPv6' };
}
