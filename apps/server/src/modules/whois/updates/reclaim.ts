import type { AnswerOf } from '@portal/contract';
import type { whoisReclaims } from '@portal/contract/whois/reclaims';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { printObject, readKey, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { actsOf } from '../ledger/registry-object-sync.ts';
import { handedOver } from '../ledger/object-moves.ts';
import { writingRights } from '../rights/rights.ts';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { findObjects } from '../store/stored-objects.ts';
import type { StoredObject } from '../store/update.ts';
import { outcomeMessage } from './outcome.ts';
import { submitForAccount } from './submit-for-account.ts';
import { reclaimable } from '../rights/reclaimable.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { whoisTexts } from '../mail-texts.ts';

/**
 * Reclaims an object over numbers that the account holds: gives it to the account's principal maintainer, with its contacts, or deletes it. Its
 * former maintainers are notified. The outcome says why it was refused.
 * @throws Failure NOT_FOUND, NO_PERMISSION, NOTHING_TO_DO without a maintainer, and those of `submitForAccount`
 */
export async function reclaimObject({
  change,
  account,
  body: { class: objectClass, key: written, act, version, reason },
  registry: { profile, config: limits },
}: Act<typeof whoisReclaims.reclaimObject>): Promise<AnswerOf<typeof whoisReclaims.reclaimObject>> {
  const credentials = await writingRights(change, account);
  const key = readKey(objectClass, written)?.key;
  const [row] = key === undefined ? [] : await findObjects(change, [{ class: objectClass, key }]);
  if (!row) throw refuse('NOT_FOUND', { what: `${objectClass} ${written}` });
  if (!(await reclaimable(change, [row], credentials)).has(row.objectId)) throw refuse('NO_PERMISSION');
  const before = objectOfRow(row);
  const own = await actsOf(change, account.accountName, profile);
  if (act === 'take-over' && !credentials.maintainers.has(own.maintainer.toLowerCase()))
    throw refuse('NOTHING_TO_DO', { why: 'the account has no maintainer of its own. Create one first' });
  const text = act === 'delete' ? row.text : printObject(handedOver(before, own, []));
  const [outcome] = await submitForAccount(
    change,
    account,
    [
      act === 'delete'
        ? { operation: 'delete', text, reason: reason || 'Reclaimed by the holder of its numbers', expectedVersion: version }
        : { operation: 'modify', text, takesOver: true, expectedVersion: version },
    ],
    { credentials, mode: 'atomic', profile, limits },
  );
  if (outcome!.state === 'ok') await notifyFormer(change, row, { account, act, reason, profile });
  await change.note({ reclaimed: `${objectClass} ${row.shown}`, act, formerMaintainers: maintainersIn(before, 'mnt-by') });
  return { outcome: outcomeMessage(outcome!, text) };
}

/** Writes to those who maintained an object: `upd-to` of its maintainers, and corporate and technical contacts of the accounts that use them. */
async function notifyFormer(
  change: Change,
  row: StoredObject,
  { account, act, reason, profile }: { account: AdmittedAccount; act: 'take-over' | 'delete'; reason: string; profile: Profile },
): Promise<void> {
  const keys = maintainersIn(objectOfRow(row), 'mnt-by').filter(key => key !== profile.hostmasterMaintainer.toLowerCase());
  const maintainers = await findObjects(
    change,
    keys.map(key => ({ class: 'mntner', key })),
  );
  const people = await change.rows<{ accountName: string; loginId: string | null; email: string; fullName: string }>(sql`
    select distinct on (lower(c.email)) c.account_name, c.login_id::text as login_id, c.email, c.full_name from maintainer_link l join contact c using (account_name)
    where l.maintainer = any(${keys}::text[]) and l.account_name <> ${account.accountName} and c.status = 'active'
      and c.contact_types && '{corporate,technical}'::text[] order by lower(c.email)`);
  const mails = new Map<string, { recipient: string; recipientName?: string; loginId?: string | null; accountName?: string }>();
  for (const recipient of maintainers.flatMap(each => valuesOf(objectOfRow(each), 'upd-to')))
    mails.set(recipient.toLowerCase(), { recipient });
  for (const { email, fullName, loginId, accountName } of people)
    mails.set(email.toLowerCase(), { recipient: email, recipientName: fullName, loginId, accountName });
  const name = `${row.class} ${spacedKey(row.shown)}`;
  for (const mail of mails.values())
    await sendMail(change, {
      topic: 'whois.objects',
      ...mail,
      text:
        act === 'delete'
          ? whoisTexts.written('deletedHolderNumbers', {
              name,
              accountName: account.accountName,
              reasonGiven: reason === '' ? '' : `Its reason: ${reason}`,
              text: row.text.trimEnd(),
            })
          : whoisTexts.written('takenOverHolderNumbers', {
              name,
              accountName: account.accountName,
              reasonGiven: reason === '' ? '' : `Its reason: ${reason}`,
              text: row.text.trimEnd(),
            }),
    });
}
