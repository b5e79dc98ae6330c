import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { type ActivityOrigin, codesSwitchedOff, countWrongCode, deleteWrongCodes } from '../attempts/code-failures.ts';
import { startCoolDown } from './cool-down.ts';
import { notifyPerson } from '../logins/notices.ts';
import { identityTexts } from '../mail-texts.ts';

const CODES = 10;
/** 120 bits, 24 digits of base 32: six groups of four. */
const BYTES = 15;
/** Crockford's base 32: no i, l, o and u, so nothing on paper looks like something else. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

function newCode(): string {
  let bits = 0n;
  for (const byte of randomBytes(BYTES)) bits = (bits << 8n) | BigInt(byte);
  const digits = Array.from({ length: (BYTES * 8) / 5 }, (_, i) => DIGITS[Number((bits >> BigInt(5 * i)) & 31n)]!);
  return digits.join('').replaceAll(/.{4}(?=.)/g, '$&-');
}

/** The digits of a code as typed: case, spaces and hyphens don't matter, and look-alikes are read as the digits they stand for. */
const digitsOf = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');

const digestOf = (typed: string): Buffer => createHash('sha256').update(digitsOf(typed)).digest();

/** Ten new recovery codes such as `3k9f-…`; the previous ones become invalid. They are shown only here. */
export async function newRecoveryCodes(change: Change, loginId: string): Promise<string[]> {
  await change.deleteFrom('loginRecoveryCode').where('loginId', '=', loginId).execute();
  await deleteWrongCodes(change, loginId, 'recovery');
  const codes = Array.from({ length: CODES }, newCode);
  await change
    .insertInto('loginRecoveryCode')
    .values(codes.map(code => ({ loginId, digest: digestOf(code), madeAt: change.now })))
    .execute();
  return codes;
}

/** Returns how many recovery codes of a person are unused; 0 if too many wrong ones disabled them. */
export async function recoveryCodesLeft(read: Read, loginId: string): Promise<number> {
  if (await codesSwitchedOff(read, loginId, 'recovery')) return 0;
  const { left } = await read
    .selectFrom('loginRecoveryCode')
    .select(eb => eb.fn.countAll<string>().as('left'))
    .where('loginId', '=', loginId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Returns whether all of these are unused recovery codes of the person. */
export async function areRecoveryCodes(read: Read, loginId: string, codes: readonly string[]): Promise<boolean> {
  if (codes.length === 0) return false;
  const rows = await read
    .selectFrom('loginRecoveryCode')
    .select('digest')
    .where('loginId', '=', loginId)
    .where('usedAt', 'is', null)
    .where('digest', 'in', codes.map(digestOf))
    .execute();
  return rows.length === codes.length;
}

/**
 * Uses a recovery code, exactly once under concurrency (S4). Adds an activity line, a notice, and a day in which registry changes
 * wait (S27). Returns false if it is not theirs, was used, or is disabled after too many wrong ones; a wrong one is counted.
 */
export async function consumeRecoveryCode(
  db: Database,
  config: Config,
  origin: ActivityOrigin,
  loginId: string,
  typed: string,
): Promise<boolean> {
  if (await codesSwitchedOff(db.read, loginId, 'recovery')) return false;
  const digest = digestOf(typed);
  const mine = await db.read
    .selectFrom('loginRecoveryCode')
    .select('madeAt')
    .where('loginId', '=', loginId)
    .where('digest', '=', digest)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  const used =
    mine !== undefined &&
    (await db
      .change({ ...origin, action: 'identity.useRecoveryCode', summary: 'Used a recovery code' }, async change => {
        const { numUpdatedRows } = await change
          .updateTable('loginRecoveryCode')
          .set({ usedAt: change.now })
          .where('loginId', '=', loginId)
          .where('digest', '=', digest)
          .where('usedAt', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) throw new UsedMeanwhile();
        await startCoolDown(change, loginId, 'recovery-code');
        const left = await recoveryCodesLeft(change, loginId);
        await change.note({ left, userAgent: origin.userAgent });
        await notifyPerson(change, config, {
          loginId,
          text: identityTexts.written('recoveryCodeUsed', { left, howMany: left === 1 ? 'is' : 'are', coolDownHours }),
          userAgent: origin.userAgent,
        });
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof UsedMeanwhile) return false;
        throw error;
      }));
  if (used) await deleteWrongCodes(db.unrecorded, loginId, 'recovery');
  else await countWrongCode(db, config, origin, loginId, 'recovery');
  return used;
}

/** Undoes the change: if no code was used, there is nothing to record. */
class UsedMeanwhile extends Error {}
