import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { DAY_MS, daysAfter, instantBefore } from '@portal/contract/days';
import {
  type Listing,
  listingDays,
  listingLengths,
  type listings,
  maxListingMessages,
  type StaffListing,
} from '@portal/contract/requests/listings';
import { emptyForm } from '@portal/contract/requests/request-form';
import { type NumberResource, parsePrefix, parseResource, ResourceSyntaxError } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import { countInTurn } from '../../../platform/counted-limit.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../../platform/http/endpoints.ts';
import type { PolicyNow } from '../../../platform/registry.ts';
import { containsPattern } from '../../../platform/search-text.ts';
import { activeContacts, lockOwnAccount, refuseSuspended } from '../../accounts/index.ts';
import { notifyPeople } from '../../identity/index.ts';
import { columnsOf, refuseLocked, spaceToMove } from '../../resources/index.ts';
import { holdingsStopped } from '../../restraints/index.ts';
import { checkRequest, todayOf } from '../account-facts.ts';
import { blocks } from '../rules/check.ts';
import { requestsTexts } from '../mail-texts.ts';
import type { MailText } from '../../mail/index.ts';

/** Maximum number of open listings of an account. */
const MAX_LISTINGS = 50;
const page = '/resources/availableListings';

type Reader = Pick<Read, 'rows'>;
export type ListingRow = Omit<Listing, 'own' | 'asked' | 'messages'> & {
  accountName: string;
  orgName: string;
  messages: number;
  asked: boolean;
};

/**
 * Condition for a listing on the board: open, not expired, of an open account that isn't restrained; an offer only while its holder could transfer the block. So a
 * transferred, returned or locked block disappears immediately, and comes back once it can be transferred.
 */
const onBoard = (
  today: string,
  now: Date | string,
): RawBuilder<unknown> => sql`l.state = 'open' and l.expires_on >= ${today}::date and a.account_status = 'open' and not ${holdingsStopped(sql`l.account_name`, now)}
  and (l.kind = 'wanted' or exists (select from delegation d where d.account_name = l.account_name and d.kind = 'ipv4' and d.status <> 'closed'
    and d.first <= l.first and d.last >= l.last
    and not exists (select from locked_part p where p.kind = 'ipv4' and p.first <= l.last and p.last >= l.first)
    and not exists (select from resource_lock k where k.delegation_id = d.delegation_id and k.released_at is null)))`;

const rowsWhere = (where: RawBuilder<unknown>, reader: string): RawBuilder<ListingRow> => sql<ListingRow>`
  select l.listing_id::text, l.kind, l.length, l.resource, a.org_name as holder, a.org_name, a.economy, l.inter_registry, l.notes, l.state, l.account_name,
    l.names_holder, l.listed_at, l.expires_on::text, l.ended_at, l.ended_why,
    (select count(*)::int from listing_message m where m.listing_id = l.listing_id and m.kind = 'question') as messages,
    exists (select from listing_message m where m.listing_id = l.listing_id and m.kind = 'question' and m.account_name = ${reader}) as asked
  from listing l join account a using (account_name) where ${where}`;

/** A listing as an account sees it: others' without block and holder, unless they show them. */
function listingFor({ accountName, orgName: _orgName, messages, ...row }: ListingRow, reader: string): Listing {
  const own = accountName === reader;
  const shown = own || row.namesHolder;
  return {
    ...row,
    resource: shown ? row.resource : null,
    holder: shown ? row.holder : null,
    own,
    messages: own ? messages : null,
    asked: row.asked,
  };
}

/** A page of the board, or of the account's own listings, newest first. */
export async function listListings({
  read,
  account: { accountName },
  query: { of, kind, length, economy, interRegistry, q, before, limit },
  registry: { profile, now },
}: Act<typeof listings.listListings>): Promise<AnswerOf<typeof listings.listListings>> {
  const board = of === 'own' ? sql`l.account_name = ${accountName}` : onBoard(todayOf(profile, now), now);
  const conditions = [board];
  if (kind) conditions.push(sql`l.kind = ${kind}`);
  if (length !== undefined) conditions.push(sql`l.length = ${length}`);
  if (economy) conditions.push(sql`a.economy = ${economy}`);
  if (interRegistry) conditions.push(sql`l.inter_registry = ${interRegistry === 'yes'}`);
  if (q !== '') {
    const pattern = containsPattern(q);
    const shown = sql`(l.names_holder or l.account_name = ${accountName})`;
    conditions.push(sql`(l.notes ilike ${pattern} or ${shown} and (l.resource ilike ${pattern} or a.org_name ilike ${pattern}))`);
  }
  const where = sql.join(conditions, sql` and `);
  const [rows, [counted], economies] = await Promise.all([
    read.rows(
      rowsWhere(
        sql`${where} ${before === undefined ? sql`` : sql`and l.listing_id < ${before}`} order by l.listing_id desc limit ${limit + 1}`,
        accountName,
      ),
    ),
    read.rows<{ total: number }>(sql`select count(*)::int as total from listing l join account a using (account_name) where ${where}`),
    read.rows<{ economy: string }>(sql`select distinct a.economy from listing l join account a using (account_name)
      where ${onBoard(todayOf(profile, now), now)} and a.economy is not null order by a.economy`),
  ]);
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(row => listingFor(row, accountName)),
    next: rows.length > limit ? Number(shown.at(-1)!.listingId) : null,
    total: counted!.total,
    economies: economies.map(each => each.economy),
  };
}

const what = { what: 'The listing' };

export async function listingRow(read: Reader, listingId: string, reader: string): Promise<ListingRow> {
  const [row] = isRowId(listingId) ? await read.rows(rowsWhere(sql`l.listing_id = ${listingId}::bigint`, reader)) : [];
  if (!row) throw refuse('NOT_FOUND', what);
  return row;
}

/** Reads the block of an offer. @throws Failure INVALID_REQUEST that names the field */
function readBlock(text: string): NumberResource & { length: number } {
  let block: ReturnType<typeof parsePrefix>;
  try {
    block = parsePrefix(text.trim());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuseField('resource', error.message);
    throw error;
  }
  if (block.family !== 'ipv4')
    throw refuseField('resource', 'Only IPv4 is transferred without a merger. Enter a prefix, such as 192.0.2.0/24');
  if (block.length > listingLengths.smallest || block.length < listingLengths.largest)
    throw refuseField('resource', `Enter a prefix from /${listingLengths.largest} to /${listingLengths.smallest}`);
  return block;
}

/**
 * Puts an offer or a wish on the board. An offer follows the rules of a transfer: an active delegation of the account, off hold, not smaller than a /24.
 * @throws Failure INVALID_REQUEST, NOT_HOLDER, RESOURCE_LOCKED, ON_HOLD_UNTIL, REQUEST_NOT_ALLOWED, LISTING_EXISTS, TOO_MANY_LISTINGS, ACCOUNT_SUSPENDED
 */
export async function addListing({
  change,
  account,
  caller,
  body: { kind, resource, length, notes, namesHolder, interRegistry },
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Caller;
  body: BodyOf<typeof listings.addListing>;
  registry: PolicyNow;
}): Promise<Listing> {
  const { accountName } = account;
  refuseSuspended(account);
  await lockOwnAccount(change, account);
  const today = todayOf(registry.profile, registry.now);
  const [open] = await change.rows<{ count: number }>(
    sql`select count(*)::int as count from listing where account_name = ${accountName} and state = 'open'`,
  );
  if (open!.count >= MAX_LISTINGS) throw refuse('TOO_MANY_LISTINGS', { count: String(open!.count) });
  let block: (NumberResource & { length: number }) | null = null;
  if (kind === 'offer') {
    block = readBlock(resource);
    const { resource: text } = columnsOf(block);
    const [space] = await spaceToMove(change, accountName, [block]);
    if (!space) throw refuse('NOT_HOLDER', { resource: text, account: accountName }).at('resource');
    if (space.lockedPart)
      throw refuse('RESOURCE_LOCKED', { resource: space.lockedPart.resource, reference: space.lockedPart.reference }).at('resource');
    if (space.holdUntil !== null && space.holdUntil > today)
      throw refuse('ON_HOLD_UNTIL', { resource: text, day: space.holdUntil }).at('resource');
  } else if (length < listingLengths.largest)
    throw refuseField('length', `Choose a size from /${listingLengths.largest} to /${listingLengths.smallest}`);
  if (kind === 'offer') {
    const form = { ...emptyForm, resources: [columnsOf(block!).resource] };
    const against = blocks(await checkRequest(change, { accountName, kind: 'transfer', form }, registry));
    if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  }
  const columns = block && columnsOf(block);
  let listingId: string;
  try {
    const [row] = await change.attempt(() =>
      change.rows<{
        listingId: string;
      }>(sql`insert into listing (account_name, kind, first, last, resource, length, names_holder, inter_registry, notes,
          listed_by, listed_at, expires_on)
        values (${accountName}, ${kind}, ${columns?.first ?? null}::inet, ${columns?.last ?? null}::inet, ${columns?.resource ?? null}, ${block?.length ?? length},
          ${namesHolder}, ${interRegistry}, ${notes}, ${caller.loginId}, ${change.now}::timestamptz, ${daysAfter(today, listingDays)}::date)
        returning listing_id::text`),
    );
    listingId = row!.listingId;
  } catch (error) {
    // SQLSTATE exclusion_violation.
    if ((error as { code?: string }).code === '23P01') throw refuse('LISTING_EXISTS', { resource: columns!.resource }).at('resource');
    throw error;
  }
  const row = await listingRow(change, listingId, accountName);
  await change.note({ listing: sizeWords(row) });
  await notifyHolder(change, row, {
    text: requestsTexts.written('listedTransfer', { listing: sizeWords(row), expiresOn: row.expiresOn }),
  });
  return listingFor(row, accountName);
}

/** The listing in words: `198.18.0.0/22`, `Wanted /22`. */
export const sizeWords = ({ kind, resource, length }: Pick<Listing, 'kind' | 'resource' | 'length'>): string =>
  kind === 'offer' ? `${resource ?? `/${length}`}` : `Wanted /${length}`;

/** Notifies the contacts of a listing's holder who see requests. */
export async function notifyHolder(
  change: Change,
  { accountName, listingId }: Pick<ListingRow, 'accountName' | 'listingId'>,
  { text, act = 'View listing' }: { text: MailText; act?: string },
): Promise<void> {
  const contacts = await activeContacts(change, accountName, { permission: 'tickets-resources-view' });
  const news = { topic: 'resources.requests' as const, accountName, text, path: `${page}?of=own&listing=${listingId}`, act };
  await notifyPeople(change, news, contacts);
}

/** Extends an open listing. @throws Failure RESOURCE_LOCKED, ACCOUNT_SUSPENDED */
export async function renewListing({
  change,
  account,
  row,
  params: { listingId },
  registry,
}: CaseAct<typeof listings.renewListing, ListingRow>): Promise<Listing> {
  const { accountName } = account;
  refuseSuspended(account);
  if (row.resource !== null) await refuseLocked(change, [parseResource(row.resource)]);
  const expiresOn = daysAfter(todayOf(registry.profile, registry.now), listingDays);
  await change.rows(sql`update listing set expires_on = ${expiresOn}::date, reminded_on = null where listing_id = ${listingId}::bigint`);
  await change.note({ listing: sizeWords(row), until: expiresOn });
  return listingFor(await listingRow(change, listingId, accountName), accountName);
}

/** Ends a listing. The caller has locked it. */
export async function endListing(
  change: Change,
  listingId: string,
  state: 'withdrawn' | 'expired' | 'removed' | 'transferred',
  why = '',
): Promise<void> {
  await change.rows(sql`update listing set state = ${state}, ended_at = ${change.now}::timestamptz, ended_why = ${why} where listing_id = ${listingId}::bigint
    and state = 'open'`);
}

/** Takes a listing off the board. */
export async function withdrawListing({
  change,
  account: { accountName },
  row,
  params: { listingId },
}: CaseAct<typeof listings.withdrawListing, ListingRow>): Promise<Listing> {
  await endListing(change, listingId, 'withdrawn');
  await change.note({ listing: sizeWords(row) });
  return listingFor(await listingRow(change, listingId, accountName), accountName);
}

/** A listing of another account that is on the board. @throws Failure NOT_FOUND, LISTING_ENDED, OWN_LISTING */
async function othersListing(change: Change, accountName: string, listingId: string, { profile, now }: PolicyNow): Promise<ListingRow> {
  const row = await listingRow(change, listingId, accountName);
  if (row.accountName === accountName) throw refuse('OWN_LISTING');
  const [shown] = await change.rows(
    sql`select 1 from listing l join account a using (account_name) where l.listing_id = ${listingId}::bigint and ${onBoard(todayOf(profile, now), now)}`,
  );
  if (!shown) throw refuse('LISTING_ENDED');
  return row;
}

async function keepMessage(
  change: Change,
  {
    listingId,
    accountName,
    loginId,
    kind,
    words,
  }: { listingId: string; accountName: string; loginId: string; kind: 'question' | 'report'; words: string },
): Promise<void> {
  await countInTurn(change, `requests.listing-messages-${accountName}`);
  const since = instantBefore(change.now, DAY_MS);
  const [sent] = await change.rows<{ all: number; here: number }>(sql`select count(*)::int as "all",
    (count(*) filter (where listing_id = ${listingId}::bigint and kind = ${kind}))::int as here from listing_message
    where account_name = ${accountName} and sent_at > ${since}::timestamptz`);
  if (sent!.all >= maxListingMessages || sent!.here > 0) throw refuse('TOO_MANY_MESSAGES', { count: String(maxListingMessages) });
  await change
    .insertInto('listingMessage')
    .values({ listingId: Number(listingId), accountName, loginId, kind, words, sentAt: change.now })
    .execute();
}

/**
 * Passes a message on to the holder of a listing by mail of the registry, with name, account and address of its sender, who agreed to that. The holder's address stays
 * hidden until it answers. @throws Failure NOT_FOUND, LISTING_ENDED, OWN_LISTING, TOO_MANY_MESSAGES, ACCOUNT_SUSPENDED
 */
export async function askAboutListing({
  change,
  account,
  caller,
  params: { listingId },
  body: { words },
  registry,
}: Act<typeof listings.askAboutListing>): Promise<Listing> {
  const { accountName } = account;
  refuseSuspended(account);
  // Serialises the messages of one account, so that the limit holds.
  await lockOwnAccount(change, account);
  const row = await othersListing(change, accountName, listingId, registry);
  const [sender] = (await activeContacts(change, accountName)).filter(({ loginId }) => loginId === caller.loginId);
  if (!sender) throw refuse('NOT_FOUND', what);
  await keepMessage(change, { listingId, accountName, loginId: caller.loginId, kind: 'question', words });
  await change.note({ listing: `/${row.length}` });
  await notifyHolder(change, row, {
    text: requestsTexts.written('messageAboutListing', {
      listing: sizeWords(row),
      sender: sender.fullName,
      accountName,
      words,
      senderEmail: sender.email,
    }),
  });
  return listingFor(await listingRow(change, listingId, accountName), accountName);
}

/** Reports a listing to the registry; staff see it at the desk. @throws Failure NOT_FOUND, LISTING_ENDED, OWN_LISTING, TOO_MANY_MESSAGES */
export async function reportListing({
  change,
  account,
  caller,
  params: { listingId },
  body: { words },
  registry,
}: Act<typeof listings.reportListing>): Promise<Listing> {
  await lockOwnAccount(change, account);
  const row = await othersListing(change, account.accountName, listingId, registry);
  await keepMessage(change, { listingId, accountName: account.accountName, loginId: caller.loginId, kind: 'report', words });
  await change.note({ listing: `/${row.length}` });
  return listingFor(row, account.accountName);
}

async function staffListings(read: Reader, rows: readonly ListingRow[]): Promise<StaffListing[]> {
  const reports = await read.rows<{
    listingId: string;
    accountName: string;
    words: string;
    at: string;
  }>(sql`select listing_id::text, account_name, words, sent_at as at
    from listing_message where kind = 'report' and listing_id = any(${rows.map(({ listingId }) => listingId)}::bigint[]) order by listing_message_id`);
  return rows.map(({ orgName: _orgName, ...row }) => ({
    ...row,
    own: false,
    reports: reports
      .filter(({ listingId }) => listingId === row.listingId)
      .map(({ accountName, words, at }) => ({ accountName, words, at })),
  }));
}

/** Open listings for registry staff, reported ones first; at most 200. */
export async function listStaffListings({
  read,
}: Act<typeof listings.listStaffListings>): Promise<AnswerOf<typeof listings.listStaffListings>> {
  const rows = await read.rows(
    rowsWhere(
      sql`l.state = 'open' order by exists (select from listing_message m where m.listing_id = l.listing_id and m.kind = 'report') desc, l.listing_id desc limit 200`,
      '',
    ),
  );
  const [counted] = await read.rows<{ total: number }>(sql`select count(*)::int as total from listing where state = 'open'`);
  return { rows: await staffListings(read, rows), total: counted!.total };
}

/** Takes a listing off the board as registry staff. */
export async function removeListing({
  change,
  row,
  params: { listingId },
  body: { reason },
}: CaseAct<typeof listings.removeListing, ListingRow>): Promise<StaffListing> {
  await endListing(change, listingId, 'removed', reason);
  await change.concerns(row.accountName);
  await change.note({ listing: sizeWords(row), reason });
  await notifyHolder(change, row, {
    text: requestsTexts.written('registryRemovedListing', { listing: sizeWords(row), reason }),
  });
  return (await staffListings(change, [await listingRow(change, listingId, '')]))[0]!;
}

/** Ends offers of space that its holder no longer has. */
export async function endListingsIn(change: Change, accountName: string, resources: readonly NumberResource[]): Promise<void> {
  for (const resource of resources) {
    if (resource.family !== 'ipv4') continue;
    const { first, last } = columnsOf(resource);
    await change.rows(sql`update listing set state = 'transferred', ended_at = ${change.now}::timestamptz where account_name = ${accountName} and state = 'open'
      and kind = 'offer' and inetrange(first, last, '[]') && inetrange(${first}::inet, ${last}::inet, '[]')`);
  }
}
