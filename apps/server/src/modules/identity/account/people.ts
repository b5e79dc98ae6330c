import { displayName } from '@portal/contract/display-name';
import { MAX_PREFERENCES, people, type PreferenceChange, Preferences } from '@portal/contract/identity/people';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Config } from '../../../config.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { implement } from '../../../platform/http/endpoints.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { loginById } from '../logins/logins.ts';
import { hasSecondFactor } from '../factors/second-factors.ts';

const none: Preferences = { tables: {} };

/** Returns a person's preferences; a value that is no longer valid counts as not set. */
export async function preferencesOf(read: Read, loginId: string): Promise<Preferences> {
  const row = await read.selectFrom('loginPreferences').select('preferences').where('loginId', '=', loginId).executeTakeFirst();
  const parsed = z.safeParse(Preferences, row?.preferences);
  return parsed.success ? parsed.data : none;
}

/**
 * Merges into the stored preferences: settings left out stay, and two tabs that save two tables keep both.
 * @throws Failure INVALID_REQUEST if they would be larger than all tables of the portal need
 */
async function savePreferences(change: Change, loginId: string, { table, ...settings }: PreferenceChange): Promise<Preferences> {
  const tables = table ? { [table.id]: table.state } : {};
  const given = JSON.stringify({ ...settings, tables });
  const [saved] = await change.rows<{
    bytes: number;
  }>(sql`insert into login_preferences (login_id, preferences) values (${loginId}, ${given}::jsonb)
    on conflict (login_id) do update set preferences = login_preferences.preferences || excluded.preferences
      || jsonb_build_object('tables', coalesce(login_preferences.preferences -> 'tables', '{}') || (excluded.preferences -> 'tables'))
    returning octet_length(preferences::text) as bytes`);
  if (saved!.bytes > MAX_PREFERENCES)
    throw refuse('INVALID_REQUEST', { detail: 'the settings of your tables are larger than 64 KB: remove filters that you saved' });
  return preferencesOf(change, loginId);
}

export const peopleRoutes = ({ config, clock }: { config: Config; clock: () => Date }) =>
  implement(people, {
    getMe: async ({ read, caller }) => {
      const login = await loginById(read, caller.loginId);
      const fullName = login?.fullName ?? caller.name;
      return {
        userId: caller.loginId,
        name: displayName({ nickname: login?.nickname, display_name: login?.displayName, full_name: fullName }),
        fullName,
        email: caller.email,
        staff: caller.staff,
        staffPermissions: [...caller.staffPermissions],
        hasSecondFactor: await hasSecondFactor(read, caller.loginId),
        mfa: caller.mfa,
        privilegesNeedFactor: config.requireMfa !== 'off',
        coolDownUntil: (await coolDownOf(read, caller.loginId, clock()))?.until ?? null,
        preferences: await preferencesOf(read, caller.loginId),
      };
    },
    savePreferences: ({ change, caller, body }) => savePreferences(change, caller.loginId, body),
  });
