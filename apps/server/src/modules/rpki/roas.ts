import type { AnswerOf, BodyOf, QueryOf } from '@portal/contract';
import { massRemoval, type Roa, type rpki } from '@portal/contract/rpki/rpki';
import { containsResource, isEmptySet, overlapsRange, parsePrefix, type ResourceSet } from '@portal/number-resources';
import { sql } from 'kysely';
import { breathing, filteredInTurns, mapInTurns } from '../../platform/breathing.ts';
import { type Change, inPages, PAGE_ROWS, type Read } from '../../platform/database/index.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { holdingsOf } from '../resources/index.ts';
import { findAuthority, lockAuthority } from './authorities/authorities.ts';
import { checkRoaChanges, type KeptRoa, keptRoas, printRoa } from './roa-changes.ts';
import { type Confirmed, effectOfRoas, refuseUnconfirmed } from './roa-effect.ts';
import { isPublished } from './suspensions.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { requireOpen } from '../accounts/index.ts';

/** All ROAs of an account with their publication state. */
export async function roasOf(read: Pick<Read, 'rows'>, accountName: string): Promise<Roa[]> {
  const kept = await keptRoas(read, accountName);
  if (kept.length === 0) return [];
  const published = await inPages<{ roaId: string; uri: string; notAfter: string | null }>(after =>
    read.rows(sql`
      select p.roa_id::text, p.uri, p.not_after from (select unnest(o.roa_ids) as roa_id, o.uri, o.not_after
        from rpki_ca c join rpki_key k using (ca_id) join rpki_object o using (key_id)
        where c.account_name = ${accountName} and c.state = 'active' and o.kind = 'roa') p
      where ${after === null ? sql`true` : sql`p.roa_id > ${after.roaId}::bigint`} order by p.roa_id limit ${PAGE_ROWS}`),
  );
  const breathe = breathing();
  const objects = await mapInTurns(published, ({ roaId }) => roaId, breathe);
  const certifiable = await certifiableOf(read, accountName);
  const roas: Roa[] = [];
  for (const { createdAt, ...roa } of kept) {
    const object = objects.get(roa.roaId);
    roas.push({
      ...roa,
      state: stateOf(roa, object !== undefined, certifiable),
      uri: object?.uri ?? null,
      expiresAt: object?.notAfter ?? null,
      createdAt,
    });
    await breathe();
  }
  return roas;
}

function stateOf({ prefix }: Pick<KeptRoa, 'prefix'>, isPublished: boolean, certifiable: ResourceSet): Roa['state'] {
  if (isPublished) return 'published';
  if (isEmptySet(certifiable)) return 'stopped';
  return containsResource(certifiable, parsePrefix(prefix)) ? 'pending' : 'not-held';
}

/** Returns the resources that can be certified for an account: its holdings; none if it is closed, or suspended past its day. */
export async function certifiableOf(read: Pick<Read, 'rows'>, accountName: string): Promise<ResourceSet> {
  const [account] = await read.rows<{ isPublished: boolean }>(
    sql`select ${isPublished} as is_published from account a where account_name = ${accountName}`,
  );
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  return account?.isPublished ? held : { ipv4: [], ipv6: [], asn: [] };
}

/** A page of the ROAs of an account. */
export async function listRoas({
  read,
  account: { accountName },
  query: { q, state, offset, limit },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  query: QueryOf<typeof rpki.listRoas>;
}): Promise<AnswerOf<typeof rpki.listRoas>> {
  const authority = await findAuthority(read, accountName);
  const all = await filteredInTurns(
    await roasOf(read, accountName),
    roa => (state === undefined || roa.state === state) && matches(roa, q),
  );
  return { version: authority?.version ?? 0, rows: all.slice(offset, offset + limit), total: all.length };
}

function matches(roa: Roa, q: string): boolean {
  if (q === '') return true;
  const sought = q.toLowerCase();
  if (roa.comment.toLowerCase().includes(sought) || roa.prefix.startsWith(sought)) return true;
  if (sought.replace(/^as/, '') === String(roa.asn)) return true;
  if (!q.includes('/')) return false;
  try {
    return overlapsRange(parsePrefix(q), parsePrefix(roa.prefix));
  } catch {
    return false;
  }
}

/** Returns what is wrong with changes, entry by entry. @throws Failure RPKI_NOT_ENABLED */
export async function checkRoas({
  change,
  account: { accountName },
  body,
}: Act<typeof rpki.checkRoas>): Promise<AnswerOf<typeof rpki.checkRoas>> {
  const authority = await findAuthority(change, accountName);
  if (!authority) throw refuse('RPKI_NOT_ENABLED');
  const { problems, additions, removals } = await checkRoaChanges(change, accountName, body);
  const { becomeInvalid, loseRoa, toConfirm } = await effectOfRoas(change, accountName, { additions, removals });
  return {
    version: authority.version,
    problems,
    additions: additions.map(({ comment: _comment, ...addition }) => addition),
    becomeInvalid,
    loseRoa,
    toConfirm,
  };
}

/** Maximum number of ROAs listed in the log of one change; more are counted. */
const maxNoted = 500;

/**
 * Adds and removes ROAs in one change; the caller announces it. The publisher notices the change and publishes it within seconds.
 * @throws Failure RPKI_NOT_ENABLED, STALE with the list as it is now, ROA_COUNT_WRONG, ROUTES_INVALIDATE, NOTHING_TO_DO, ACCOUNT_SUSPENDED, and
 * INVALID_REQUEST with one
 * problem for each entry that is wrong, its field named `add.3.prefix`
 */
export async function changeRoas(
  change: Change,
  account: AdmittedAccount,
  { version, removing, ...body }: Omit<BodyOf<typeof rpki.changeRoas>, 'invalidating'>,
  confirmed: Confirmed,
): Promise<AnswerOf<typeof rpki.changeRoas>> {
  const { accountName, accountStatus } = account;
  requireOpen({ accountName, accountStatus });
  const authority = await lockAuthority(change, accountName);
  if (authority.version !== version)
    throw refuseWithCurrent(
      await listRoas({ read: change, account, query: { q: '', state: undefined, offset: 0, limit: 1_000 } }),
      'STALE',
      {
        what: 'the list of ROAs',
      },
    );
  const { problems, additions, removals } = await checkRoaChanges(change, accountName, body);
  if (problems.length > 0)
    throw refuseFields(
      problems.map(({ list, index, field, problem }) => ({
        field: [list, index, ...(field === null ? [] : [field])].join('.'),
        message: problem,
      })),
    );
  if (additions.length + removals.length === 0) throw refuse('NOTHING_TO_DO', { why: 'no ROA is added or removed' });
  if (removals.length >= massRemoval && removing !== removals.length) throw refuse('ROA_COUNT_WRONG', { count: String(removals.length) });
  await refuseUnconfirmed(change, accountName, { additions, removals }, confirmed);
  await change.rows(sql`delete from roa where roa_id = any(${removals.map(({ roaId }) => roaId)}::bigint[])`);
  for (let at = 0; at < additions.length; at += PAGE_ROWS) {
    const some = additions.slice(at, at + PAGE_ROWS);
    await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
      select ${accountName}, prefix, max_length, asn, comment, ${change.now}::timestamptz
      from unnest(${some.map(({ prefix }) => prefix)}::cidr[], ${some.map(({ maxLength }) => maxLength)}::int[],
        ${some.map(({ asn }) => asn)}::bigint[], ${some.map(({ comment }) => comment)}::text[]) as given (prefix, max_length, asn, comment)`);
  }
  await change.rows(sql`update rpki_ca set version = version + 1 where ca_id = ${authority.caId}`);
  await change.note({
    added: additions.slice(0, maxNoted).map(printRoa),
    removed: removals.slice(0, maxNoted).map(printRoa),
    ...(additions.length + removals.length > maxNoted && { addedCount: additions.length, removedCount: removals.length }),
  });
  const added = new Set(additions.map(({ prefix, asn }) => `${prefix} ${asn}`));
  const roas = await roasOf(change, accountName);
  return { version: version + 1, added: roas.filter(({ prefix, asn }) => added.has(`${prefix} ${asn}`)), removed: removals.length };
}
