import { isRowId } from '@portal/contract/row-ids';
import { lockContact } from '../../accounts/index.ts';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { maxFollows, type WhoisFollow, type whoisFollows } from '@portal/contract/whois/follows';
import { parseResource, printAddress, printResource, ResourceSyntaxError } from '@portal/number-resources';
import { isClassName, readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import { findObjects } from '../store/stored-objects.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

const rowsOf = (read: Pick<Read, 'rows'>, contactId: string | null, only: number | null = null): Promise<WhoisFollow[]> =>
  read.rows<WhoisFollow>(sql`select f.follow_id, f.class, f.key, coalesce(o.shown, f.shown) as shown, f.followed_at, j.happened_at as changed_at,
      f.class is not null and o.object_id is null as gone
    from whois_follow f left join whois_object o on o.class = f.class and o.key = f.key
      left join lateral (select happened_at from whois_journal where class = f.class and key = f.key order by version desc limit 1) j on true
    where f.contact_id = ${contactId}::uuid ${only === null ? sql`` : sql`and f.follow_id = ${only}`} order by f.follow_id desc`);

/** Returns the caller's follows. Registry staff who view an account have none there. */
export const listFollows = async ({
  read,
  account: { contactId },
}: Act<typeof whoisFollows.listFollows>): Promise<AnswerOf<typeof whoisFollows.listFollows>> => ({
  rows: contactId === null ? [] : await rowsOf(read, contactId),
});

type Followed = Pick<WhoisFollow, 'class' | 'key' | 'shown'> & { ends: { first: string; last: string } | null; isAs: boolean };

/** @throws Failure NOT_FOUND, INVALID_REQUEST */
async function followed(read: Pick<Read, 'rows'>, body: BodyOf<typeof whoisFollows.follow>): Promise<Followed> {
  if ('class' in body) {
    const key = isClassName(body.class) ? readKey(body.class, body.key)?.key : undefined;
    const [row] = key === undefined ? [] : await findObjects(read, [{ class: body.class, key }]);
    if (!row) throw refuse('NOT_FOUND', { what: `${body.class} ${body.key}` });
    return { class: body.class, key: row.key, shown: row.shown, ends: null, isAs: false };
  }
  try {
    const resource = parseResource(body.resource);
    const shown = printResource(resource);
    const { family } = resource;
    const write = (value: bigint): string => (family === 'asn' ? String(value) : printAddress({ family, value }));
    const ends = { first: write(BigInt(resource.first)), last: write(BigInt(resource.last)) };
    return { class: null, key: shown.toLowerCase(), shown, ends, isAs: family === 'asn' };
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('resource', error.message);
  }
}

/** Follows something; an existing follow stays unchanged. @throws Failure NOT_FOUND, INVALID_REQUEST, TOO_MANY_FOLLOWS */
export async function follow({ change, account, body }: Act<typeof whoisFollows.follow>): Promise<WhoisFollow> {
  const contactId = account.contactId!;
  const { class: objectClass, key, shown, ends, isAs } = await followed(change, body);
  // Serialises concurrent calls, so that each counts the other.
  await lockContact(change, contactId);
  const own = await rowsOf(change, contactId);
  const already = own.find(each => each.class === objectClass && each.key === key);
  if (already) return already;
  if (own.length >= maxFollows) throw refuse('TOO_MANY_FOLLOWS', { most: String(maxFollows) });
  const [addresses, numbers] = isAs ? [null, ends] : [ends, null];
  const [made] = await change.rows<{ followId: number }>(sql`insert into whois_follow
      (contact_id, account_name, class, key, shown, first, last, first_as, last_as, since_serial, followed_at)
    values (${contactId}::uuid, ${account.accountName}, ${objectClass}, ${key}, ${shown}, ${addresses?.first ?? null}::inet, ${addresses?.last ?? null}::inet,
      ${numbers?.first ?? null}::bigint, ${numbers?.last ?? null}::bigint, (select coalesce(max(serial), 0) from whois_journal), ${change.now}::timestamptz)
    returning follow_id`);
  await change.note({ followed: [objectClass, shown].filter(Boolean).join(' ') });
  return (await rowsOf(change, contactId, made!.followId))[0]!;
}

/** @throws Failure NOT_FOUND, for what others follow too */
export async function unfollow({ change, account: { contactId }, params: { followId } }: Act<typeof whoisFollows.unfollow>): Promise<void> {
  const [gone] = isRowId(followId)
    ? await change.rows<{ class: string | null; shown: string }>(
        sql`delete from whois_follow where follow_id = ${followId}::bigint and contact_id = ${contactId}::uuid returning class, shown`,
      )
    : [];
  if (!gone) throw refuse('NOT_FOUND', { what: 'What you follow' });
  await change.note({ followed: [gone.class, gone.shown].filter(Boolean).join(' ') });
}

/** Ends follows of a person by their ids, separated by spaces, as in the link of an e-mail. Returns what was followed. */
export async function endFollows(change: Change, loginId: string, followIds: string): Promise<string[]> {
  const ids = followIds.split(' ').filter(each => isRowId(each));
  const gone = await change.rows<{ shown: string }>(sql`delete from whois_follow where follow_id = any(${ids}::bigint[])
    and contact_id in (select contact_id from contact where login_id = ${loginId}) returning shown`);
  return gone.map(({ shown }) => shown);
}
