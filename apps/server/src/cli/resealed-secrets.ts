import { resealAuthenticators, resealSigningKeys } from '../modules/identity/index.ts';
import { resealLinks } from '../modules/mail/index.ts';
import { resealNrtmKeys } from '../modules/mirrors/index.ts';
import type { ActivityInfo, Database } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/**
 * Seals with SECRET_KEY whatever stands in the database sealed with SECRET_KEY_OLD, all of it or nothing. Answers how many of each kind.
 * Enrolments of authenticator apps under way are left: they live for ten minutes.
 * @throws Error when something opens with neither key.
 */
export function resealSecrets(db: Database, box: SecretBox, activity: ActivityInfo): Promise<Record<string, number>> {
  return db.change(activity, async change => {
    const resealed = {
      'signing keys': await resealSigningKeys(change, box),
      'authenticator apps': await resealAuthenticators(change, box),
      'mirror keys': await resealNrtmKeys(change, box),
      'links in e-mails': await resealLinks(change, box),
    };
    await change.note({ resealed });
    return resealed;
  });
}
