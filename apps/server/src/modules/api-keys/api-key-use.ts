import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';

/** Interval, in ms, at which counted calls are stored. */
const STORED_EVERY_MS = 500;

type OldUse = { apiKeyId: string; address: string; at: string };
type Count = { calls: number; refused: number; at: string; address: string };
export type ApiKeyUse = {
  /** Counts a call made with a key. */
  note: (call: { apiKeyId: string; address: string; refused: boolean }) => void;
  /** Notes a call with a secret that a rotation replaced. */
  noteOld: (call: { apiKeyId: string; address: string }) => void;
  /** Stores the counts so far. */
  store: () => Promise<void>;
  close: () => Promise<void>;
};

/** Counts calls by key and day in memory, and adds them to the table every half second, so that calls don't wait for a write. */
export function openApiKeyUse({ unrecorded }: Pick<Database, 'unrecorded'>, { clock, log }: { clock: () => Date; log: Log }): ApiKeyUse {
  let counted = new Map<string, Count>();
  let old = new Map<string, OldUse>();
  let storing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const storeNow = async (): Promise<void> => {
    const counts = [...counted];
    counted = new Map();
    const oldUses = [...old.values()];
    old = new Map();
    for (const { apiKeyId, address, at } of oldUses)
      await sql`insert into api_key_use (api_key_id, day, calls, refused, last_at, last_address, old_at, old_address)
        values (${apiKeyId}::bigint, ${utcDay(at)}::date, 0, 0, ${at}::timestamptz, ${address}::inet, ${at}::timestamptz, ${address}::inet)
        on conflict (api_key_id, day) do update set old_at = greatest(api_key_use.old_at, excluded.old_at), old_address = excluded.old_address`.execute(
        unrecorded,
      );
    for (const [apiKeyId, { calls, refused, at, address }] of counts)
      await sql`insert into api_key_use (api_key_id, day, calls, refused, last_at, last_address)
        values (${apiKeyId}::bigint, ${utcDay(at)}::date, ${calls}, ${refused}, ${at}::timestamptz, ${address}::inet)
        on conflict (api_key_id, day) do update set calls = api_key_use.calls + excluded.calls, refused = api_key_use.refused + excluded.refused,
          last_at = greatest(api_key_use.last_at, excluded.last_at), last_address = excluded.last_address`.execute(unrecorded);
  };
  const store = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeNow).catch((error: unknown) => log.warn('calls of API keys were not counted', { error }));
    return storing;
  };
  return {
    note: ({ apiKeyId, address, refused }) => {
      const known = counted.get(apiKeyId);
      counted.set(apiKeyId, {
        calls: (known?.calls ?? 0) + 1,
        refused: (known?.refused ?? 0) + (refused ? 1 : 0),
        at: clock().toISOString(),
        address,
      });
      timer ??= setTimeout(() => void store(), STORED_EVERY_MS).unref();
    },
    noteOld: ({ apiKeyId, address }) => {
      old.set(apiKeyId, { apiKeyId, address, at: clock().toISOString() });
      timer ??= setTimeout(() => void store(), STORED_EVERY_MS).unref();
    },
    store,
    close: store,
  };
}
