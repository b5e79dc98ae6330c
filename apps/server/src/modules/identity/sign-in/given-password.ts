import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import type { Database } from '../../../platform/database/index.ts';

/** As long as a password counts as just typed for a factor to be added (S8). */
const GIVEN_SECONDS = 300;

type Given = { loginId: string; at: number };

const given = (db: Database): OidcPayloads => new OidcPayloads(db, 'GivenPassword');

/** Notes that the person of a session gave their password in it, outside of the sign-in pages. */
export const storeGivenPassword = (db: Database, { sid, loginId }: { sid: string; loginId: string }, now: Date): Promise<void> =>
  given(db).upsert(sid, { loginId, at: now.getTime() } as never, GIVEN_SECONDS);

/** Returns when the person gave their password in this session within the last five minutes, in ms since 1970; null if they did not. */
export async function passwordGivenAt(db: Database, { sid, loginId }: { sid: string; loginId: string }): Promise<number | null> {
  const found = (await given(db).find(sid)) as Given | undefined;
  return found?.loginId === loginId ? found.at : null;
}
