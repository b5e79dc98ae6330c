import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { authenticatorSecrets } from './authenticators.ts';
import { demoPasswordOf, type Login } from '../logins/logins.ts';
import { codeOf, stepAt } from './totp.ts';

/** A demo person as the sign-in page offers them. */
export type DemoPerson = { username: string; name: string; role: string; password: string };

/** Lists the people that a visitor of the demo registry can sign in as, in the order they were added; none elsewhere. */
export async function listDemoPeople(read: Read, { demoMode }: Config): Promise<DemoPerson[]> {
  if (!demoMode) return [];
  const people = await read
    .selectFrom('login')
    .select(['username', 'displayName', 'demoRole'])
    .where('demoRole', 'is not', null)
    .where('disabledAt', 'is', null)
    .orderBy(sql`created_at, ctid`)
    .execute();
  return people.map(({ username, displayName, demoRole }) => ({
    username,
    name: displayName,
    role: demoRole!,
    password: demoPasswordOf(username),
  }));
}

/** Returns whether a login is a demo person in demo mode. */
export const isDemoPerson = ({ demoMode }: Config, login: Pick<Login, 'demoRole'>): boolean => demoMode && login.demoRole !== null;

/**
 * Returns the code on a demo person's authenticator: the present one, or the next if that was just used; empty if that was used as well,
 * until the next half minute. Null for all other people.
 */
export async function demoCodeOf(read: Read, config: Config, box: SecretBox, login: Login, now: Date): Promise<string | null> {
  if (!isDemoPerson(config, login)) return null;
  const [first] = await authenticatorSecrets(read, box, login.loginId);
  if (!first) return null;
  const step = stepAt(now);
  // Each code works once, and invalidates earlier ones: the last used code tells which comes next.
  const unused = Math.max(step, (first.lastStep ?? 0) + 1);
  return unused > step + 1 ? '' : codeOf(first.secret, unused);
}
