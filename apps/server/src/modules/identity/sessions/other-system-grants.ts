import { sql } from 'kysely';
import type { LoginProgram, LoginPrograms } from './login-programs.ts';
import { notifyOtherSystems } from './other-systems.ts';

type Names = { otherSystem: (clientId: unknown) => string | null };

/** Other systems that a person signed in to with this login and that still hold something of it: codes, tokens or a grant of theirs. */
export const otherSystemGrants = ({ otherSystem }: Names): LoginPrograms => ({
  list: async (read, { loginId, now }) => {
    const rows = await read.rows<{ clientId: string; usedAt: string | null; expiresAt: string | null }>(sql`
      select payload ->> 'clientId' as client_id, to_timestamp(max((payload ->> 'iat')::bigint)) as used_at, max(expires_at) as expires_at from oidc_payload
      where account_id = ${loginId} and model in ('Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken') and payload ->> 'clientId' is not null
        and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz) group by 1 order by 1`);
    return rows.flatMap(({ clientId, usedAt, expiresAt }): LoginProgram[] => {
      const label = otherSystem(clientId);
      if (label === null) return [];
      const lastUse = usedAt === null ? null : { at: usedAt, address: null };
      return [{ programId: `system-${clientId}`, label, accountName: '', knownAs: 'Signs you in with this login', lastUse, expiresAt }];
    });
  },
  end: async (db, origin, { loginId, programId }) => {
    const clientId = /^system-(.+)$/.exec(programId)?.[1];
    const name = clientId === undefined ? null : otherSystem(clientId);
    if (clientId === undefined || name === null) return false;
    const line = { ...origin, action: 'identity.endOtherSystem', summary: `Ended the access of ${name}` };
    return db.change(line, async change => {
      const given = await change.rows<{
        sid: string | null;
      }>(sql`select payload #>> array['authorizations', ${clientId}, 'sid'] as sid from oidc_payload
        where model = 'Session' and account_id = ${loginId} and payload #> array['authorizations', ${clientId}] is not null`);
      // It is notified, so that its own session ends too; it can start another one only by asking here again.
      await notifyOtherSystems(
        change,
        loginId,
        given.flatMap(({ sid }) => (sid === null ? [] : [{ [clientId]: { sid } }])),
      );
      await change.rows(sql`update oidc_payload set payload = payload #- array['authorizations', ${clientId}]
        where model = 'Session' and account_id = ${loginId} and payload #> array['authorizations', ${clientId}] is not null`);
      const gone = await change.rows(sql`delete from oidc_payload
        where account_id = ${loginId} and model not in ('Session', 'Interaction') and payload ->> 'clientId' = ${clientId} returning 1`);
      await change.note({ client: clientId });
      return given.length > 0 || gone.length > 0;
    });
  },
});
