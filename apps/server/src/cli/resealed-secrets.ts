import { resealAuthenticators, resealSigningKeys } from '../modules/identity/index.ts';
import { resealLinks } from '../modules/mail/index.ts';
import { resealNrtmKeys } from '../modules/mirrors/index.ts';
import { resealRpkiKeys } from '../modules/rpki/index.ts';
import { resealWebhookSecrets } from '../modules/webhooks/index.ts';
import type { ActivityInfo, Change, Database } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/**
 * Encrypts with SECRET_KEY everything in the database that is encrypted with SECRET_KEY_OLD, all of it or nothing. Returns the count of each kind.
 * Running enrolments of authenticator apps are skipped: they live for ten minutes.
 * @throws Error if something opens with neither key.
 */
export function resealSecrets(db: Database, box: SecretBox, activity: ActivityInfo): Promise<Record<string, number>> {
  return db.change(activity, async change => {
    const resealed = await resealIn(change, box);
    await change.note({ resealed });
    return resealed;
  });
}

/** Decrypts every secret in the database, without changing it. Returns the first that no key opens. */
export async function verifySecrets(db: Database, box: SecretBox, activity: ActivityInfo): Promise<string[]> {
  try {
    await db.rehearse(activity, change => resealIn(change, box));
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

const resealIn = async (change: Change, box: SecretBox): Promise<Record<string, number>> => ({
  'signing keys': await resealSigningKeys(change, box),
  'authenticator apps': await resealAuthenticators(change, box),
  'mirror keys': await resealNrtmKeys(change, box),
  'RPKI keys': await resealRpkiKeys(change, box),
  'webhook secrets': await resealWebhookSecrets(change, box),
  'links in e-mails': await resealLinks(change, box),
});
