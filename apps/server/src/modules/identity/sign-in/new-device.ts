import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import type { Config } from '../../../config.ts';
import type { Change } from '../../../platform/database/index.ts';
import { deviceOf } from '../logins/devices.ts';
import { networkOf } from './networks.ts';
import { notifyPerson } from '../logins/notices.ts';
import { SESSION_MEMORY_DAYS } from '../sessions/sessions.ts';
import { identityTexts } from '../mail-texts.ts';

/** A person who registered this recently isn't surprised by their first sign-in. */
const REGISTERED_HOURS = 24;

/**
 * Notifies the person of a sign-in from a combination of device kind and network that was not seen in 90 days (mail
 * security.login.new-device). Call it in the sign-in's change before its session is recorded: a known session reports
 * nothing, so that each is reported once.
 */
export async function notifyAboutNewDevice(
  change: Change,
  config: Pick<Config, 'appUrl' | 'embeddedProvider'>,
  { sid, loginId, address, userAgent }: { sid: string; loginId: string; address: string | null; userAgent: string | null },
): Promise<void> {
  const now = Date.parse(change.now);
  const seen = await change
    .selectFrom('session')
    .select(['sid', 'address', 'userAgent'])
    .where('loginId', '=', loginId)
    .where('startedAt', '>', instantBefore(now, SESSION_MEMORY_DAYS * DAY_MS))
    .execute();
  const placeOf = (session: { address: string | null; userAgent: string | null }): string =>
    `${deviceOf(session.userAgent)} at ${networkOf(session.address)}`;
  const here = placeOf({ address, userAgent });
  if (seen.some(session => session.sid === sid || placeOf(session) === here)) return;
  const { createdAt } = await change.selectFrom('login').select('createdAt').where('loginId', '=', loginId).executeTakeFirstOrThrow();
  if (seen.length === 0 && Date.parse(createdAt) > now - REGISTERED_HOURS * HOUR_MS) return;
  await change.note({ newDevice: true });
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    text: identityTexts.written('newDeviceSigned', { sessionMemoryDays: SESSION_MEMORY_DAYS }),
  });
}
