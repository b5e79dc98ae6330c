import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { ActivityInfo, Database, Read } from '../../../platform/database/index.ts';
import { notifyPerson } from '../logins/notices.ts';
import { identityTexts } from '../mail-texts.ts';

/** Codes that are typed in: of an authenticator app, or a recovery code. A passkey cannot be guessed and is never counted. */
export type CodeKind = 'totp' | 'recovery';

/** The person and place of an activity: an activity line without its verb. */
export type ActivityOrigin = Omit<ActivityInfo, 'action' | 'summary'> & {
  /** The browser used, for notices. */
  userAgent?: string | null | undefined;
};

/** Number of wrong codes in a row that disables this kind of code: fewer than one in ten thousand attackers gets in by guessing. */
export const MAX_WRONG_CODES = 100;

const kindWords: Record<CodeKind, { codes: string; ways: string; reset: string }> = {
  totp: { codes: 'one-time codes', ways: 'authenticator apps', reset: 'Remove them and add them again, or sign in with a passkey.' },
  recovery: { codes: 'recovery codes', ways: 'recovery codes', reset: 'Make new ones once you are signed in.' },
};

/**
 * Counts a wrong code. The hundredth in a row switches the person's authenticator apps or recovery codes off until they are replaced, with
 * an activity line and a notice.
 */
export async function countWrongCode(db: Database, config: Config, origin: ActivityOrigin, loginId: string, kind: CodeKind): Promise<void> {
  const { failures } = await db.unrecorded
    .insertInto('codeFailure')
    .values({ loginId, kind, failures: 1 })
    .onConflict(conflict => conflict.columns(['loginId', 'kind']).doUpdateSet({ failures: sql<number>`code_failure.failures + 1` }))
    .returning('failures')
    .executeTakeFirstOrThrow();
  // Of concurrent failures exactly one is the hundredth.
  if (failures !== MAX_WRONG_CODES) return;
  const { codes, ways, reset } = kindWords[kind];
  const summary = `Switched ${ways} off after ${MAX_WRONG_CODES} wrong codes`;
  await db.change({ ...origin, action: 'identity.switchCodesOff', summary }, async change => {
    if (kind === 'totp')
      await change
        .updateTable('loginTotp')
        .set({ disabledAt: change.now })
        .where('loginId', '=', loginId)
        .where('disabledAt', 'is', null)
        .execute();
    await change.note({ kind, failures, userAgent: origin.userAgent });
    await notifyPerson(change, config, {
      loginId,
      text: identityTexts.written('codesSwitchedOff', { ways, maxWrongCodes: MAX_WRONG_CODES, codes, reset }),
      userAgent: origin.userAgent,
    });
  });
}

/** Returns whether too many wrong codes have disabled this kind of code. */
export async function codesSwitchedOff(read: Read, loginId: string, kind: CodeKind): Promise<boolean> {
  const row = await read
    .selectFrom('codeFailure')
    .select('failures')
    .where('loginId', '=', loginId)
    .where('kind', '=', kind)
    .where('failures', '>=', MAX_WRONG_CODES)
    .executeTakeFirst();
  return row !== undefined;
}

/** Resets the count: a code was right, or the codes are new. */
export async function deleteWrongCodes(db: Pick<Database['unrecorded'], 'deleteFrom'>, loginId: string, kind: CodeKind): Promise<void> {
  await db.deleteFrom('codeFailure').where('loginId', '=', loginId).where('kind', '=', kind).execute();
}
