import { resealAuthenticators, resealSigningKeys } from '../modules/identity/index.ts';
import { resealLinks } from '../modules/mail/index.ts';
import { resealNrtmKeys } from '../modules/mirrors/index.ts';
import type { ActivityInfo, Change, Database } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/**
 * Seals with SECRET_KEY whatever stands in the database sealed with SECRET_KEY_OLD, all of it or nothing. Answers how many of each kind.
 * Enrolments of authenticator apps under way are left: they live for ten minutes.
 * @throws Error when something opens with neither key.
 */
export function resealSecrets(db: Database, box: SecretBox, activity: ActivityInfo): Promise<Record<string, number>> {
  return db.change(activity, async change => {
    const resealed = await resealIn(change, box);
    await change.note({ resealed });
    return resealed;
  });
}

/** Opens whatever stands in the database sealed, and leaves all as it was. Answers what is wrong: the first that no key opens. */
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
  'links in e-mails': await resealLinks(change, box),
});
