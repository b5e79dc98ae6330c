import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { refuse } from '../../../platform/failure.ts';
import { unreachable } from '../../mail/index.ts';
import { notifyPerson } from '../logins/notices.ts';
import { identityTexts } from '../mail-texts.ts';

/** An obstacle that has to be settled before a person can be erased: in words for registry staff and for the person, with the page of each where it is done. */
export type ErasureObstacle = {
  what: string;
  remedy: string;
  deskPath: string | null;
  ownPath: string | null;
};

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Returns what has to be settled before a person can be erased, without what the reader, by login, isn’t told of. */
    erasureObstacles?: (read: Pick<Read, 'rows'>, loginId: string, reader: string) => Promise<ErasureObstacle[]>;
  }
}

/** A request to erase a person that is open. */
export type OpenErasure = { erasureId: number; loginId: string; filedBy: string | null; requestedAt: string; dueAt: string };

/** Returns the open request of a person; null without one. */
export async function openErasureOf(read: Read, loginId: string): Promise<OpenErasure | null> {
  const open = await read
    .selectFrom('erasure')
    .select(['erasureId', 'loginId', 'filedBy', 'requestedAt', 'dueAt'])
    .where('loginId', '=', loginId)
    .where('state', '=', 'requested')
    .executeTakeFirst();
  return open ?? null;
}

/** Returns the open request of a person, locked until the change ends; null without one, as when it was carried out since a page was read. */
export async function lockOpenErasureOf(change: Change, loginId: string): Promise<OpenErasure | null> {
  await change.rows(sql`select from erasure where login_id = ${loginId} and state = 'requested' for update`);
  return openErasureOf(change, loginId);
}

type Asked = {
  loginId: string;
  waitDays: number;
  config: Pick<Config, 'appUrl' | 'embeddedProvider'>;
  userAgent?: string | null | undefined;
};
type Filed = { filedBy: string; reason: string };

/**
 * Adds a request to erase a person, and mails each of their addresses. Nothing is erased before some days are over.
 * @param filed who of the registry staff filed it, and how the person was identified; undefined where the person asks
 * @returns its number; null where one is open, or the person was erased
 * @throws Failure ERASURE_UNREACHABLE where staff file it and no address of the person works: no one could take it back
 */
export async function addErasure(change: Change, { loginId, waitDays, config, userAgent }: Asked, filed?: Filed): Promise<number | null> {
  // Of two requests at the same time, the second sees the first.
  await change.rows(sql`select from login where login_id = ${loginId} for no key update`);
  const [known] = await change.rows(sql`select from erasure where login_id = ${loginId} and state in ('requested', 'erased')`);
  if (known) return null;
  const alsoTo = await addressesOfRecord(change, loginId, change.now);
  if (filed && (await unreachable(change, alsoTo)).length === alsoTo.length) throw refuse('ERASURE_UNREACHABLE');
  const dueAt = instantAfter(change.now, waitDays * DAY_MS);
  const { erasureId } = await change
    .insertInto('erasure')
    .values({ loginId, filedBy: filed?.filedBy ?? null, reason: filed?.reason ?? '', requestedAt: change.now, dueAt })
    .returning('erasureId')
    .executeTakeFirstOrThrow();
  const outcome = filed ? 'Registry staff were asked for you' : 'Someone who is logged in as you asked the registry';
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    alsoTo,
    text: identityTexts.written('erasureRequested', { outcome, erasedFrom: `${dueAt.slice(0, 16).replace('T', ' ')} UTC` }),
  });
  return erasureId;
}

/** Asks for the person’s own erasure, with its line in the log. Returns whether it is new: false where one is open. */
export async function requestErasure(
  db: Database,
  { userAgent, ...who }: ActivityOrigin,
  whose: Omit<Asked, 'userAgent'>,
): Promise<boolean> {
  if (await openErasureOf(db.read, whose.loginId)) return false;
  return db.change({ ...who, action: 'identity.requestErasure', summary: 'Requested to erase personal data' }, async change => {
    const erasureId = await addErasure(change, { ...whose, userAgent });
    await change.note({ userAgent, ...(erasureId !== null && { erasure: erasureId }) });
    return erasureId !== null;
  });
}

type Ended = {
  state: 'withdrawn' | 'refused';
  /** The login that ended it; null where the link in an e-mail did. */
  endedBy: string | null;
  note: string;
  config: Asked['config'];
};

/**
 * Ends an open request, taken back by its person or refused by registry staff, and mails each address of the person.
 * @throws Error where it isn’t open: lock it before
 */
export async function endErasure(change: Change, erasureId: number, { state, endedBy, note, config }: Ended): Promise<void> {
  const ended = await change
    .updateTable('erasure')
    .set({ state, endedAt: change.now, endedBy, note })
    .where('erasureId', '=', erasureId)
    .where('state', '=', 'requested')
    .returning('loginId')
    .executeTakeFirst();
  if (!ended) throw new Error(`The request ${erasureId} to erase a person is not open`);
  const text =
    state === 'withdrawn' ? identityTexts.written('erasureWithdrawn', {}) : identityTexts.written('erasureRefused', { reason: note });
  await notifyPerson(change, config, {
    loginId: ended.loginId,
    text,
    alsoTo: await addressesOfRecord(change, ended.loginId, change.now),
    offersFreeze: endedBy !== null,
  });
}

/** Rolls a change back that found no open request, so that it leaves no line in the log. */
class NotOpen extends Error {}

/** Takes the person’s own request back, with its line in the log. Returns whether it was open then: false where it was carried out or refused since its page was read. */
export async function withdrawErasure(
  db: Database,
  { userAgent, ...who }: ActivityOrigin,
  { loginId, config }: Pick<Asked, 'loginId' | 'config'>,
): Promise<boolean> {
  const line = { ...who, action: 'identity.withdrawErasure', summary: 'Took back a request to erase personal data' };
  try {
    await db.change(line, async change => {
      const open = await lockOpenErasureOf(change, loginId);
      if (!open) throw new NotOpen();
      await change.note({ userAgent, erasure: open.erasureId });
      await endErasure(change, open.erasureId, { state: 'withdrawn', endedBy: loginId, note: '', config });
    });
    return true;
  } catch (error) {
    if (error instanceof NotOpen) return false;
    throw error;
  }
}

/** Returns the addresses that a person can be reached at: their own if it is verified, the one of yesterday, and those of their contacts. */
export async function addressesOfRecord(read: Pick<Read, 'rows'>, loginId: string, now: string): Promise<string[]> {
  const rows = await read.rows<{ email: string }>(sql`select distinct on (lower(email)) email from (
      select email from login where login_id = ${loginId} and email_verified
      union all select email from login_link where login_id = ${loginId} and purpose = 'undo-change-email' and used_at is null and expires_at > ${now}::timestamptz
      union all select email from contact where login_id = ${loginId} and status = 'active') address
    order by lower(email)`);
  return rows.map(({ email }) => email);
}

/** Days after which the last mail to a person who was erased is deleted. */
export const LAST_MAIL_DAYS = 7;
/** The text of that mail. */
export const lastMail = () => identityTexts.written('erasureDone', { days: LAST_MAIL_DAYS });
