import { randomBytes } from 'node:crypto';
import type { ApiScope } from '@portal/contract/api-scopes';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore, MINUTE_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newSecret, prefixOf } from './api-key-secret.ts';

const accountName = 'EXAMPLE-AU';
/** Days for which the keys were made. */
const VALID_DAYS = 365;

/** A key of the demo. No one knows a secret of it: they are random bytes, and not kept anywhere. */
type DemoKey = {
  person: string;
  label: string;
  scopes: readonly ApiScope[];
  networks: readonly string[];
  address: string;
  /** How long ago it was made, and was revoked. */
  days: number;
  revokedDays?: number;
  /** Calls of the last days, today first, and how long before now the last one of each day was. */
  calls: readonly number[];
  lastMinutes: number;
  /** Hours since it was given a new secret, and how much longer the old one works. */
  rotated?: { hours: number; left: number };
};

/** Keys in each state that wants to be looked at; the one that only reads is used all day. */
const keys: readonly DemoKey[] = [
  {
    person: 'corin',
    label: 'old-scripts',
    scopes: ['whois:read', 'routes:read'],
    networks: [],
    address: '203.0.113.9',
    days: 300,
    revokedDays: 41,
    calls: [...Array.from({ length: 42 }, () => 0), 6],
    lastMinutes: 30,
  },
  {
    person: 'corin',
    label: 'invoice-export',
    scopes: ['billing:read'],
    networks: ['203.0.113.0/24'],
    address: '203.0.113.9',
    days: VALID_DAYS - 12,
    calls: [0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    lastMinutes: 95,
  },
  {
    person: 'corin',
    label: 'rdns-signer',
    scopes: ['reverse-dns:read', 'reverse-dns:write', 'tasks:read'],
    networks: ['198.18.0.0/24'],
    address: '198.18.0.53',
    days: 120,
    calls: [3, 4, 3, 3, 26, 3, 3, 4, 3, 3, 3, 4, 3, 3],
    lastMinutes: 38,
    rotated: { hours: 46, left: 122 },
  },
  {
    person: 'tess',
    label: 'monitoring',
    scopes: ['resources:read', 'whois:read', 'reverse-dns:read', 'routes:read'],
    networks: [],
    address: '198.18.2.10',
    days: 210,
    calls: [196, 288, 288, 287, 288, 288, 241, 288, 288, 288, 288, 288, 286, 288],
    lastMinutes: 4,
  },
];

/** Adds keys of the demo's first account with their use, without telling anyone of them. */
export async function addDemoLife({ changeAs, config, today }: DemoRegistry): Promise<void> {
  for (const key of keys)
    await changeAs({
      person: key.person,
      accountName,
      action: 'apiKeys.createApiKey',
      summary: 'Created an API key',
      daysAgo: key.days,
      run: async (change, { caller }) => {
        await addKey(change, { key, caller, today, sandbox: config.sandbox });
        await change.note({ label: key.label, scopes: key.scopes, networks: key.networks, days: VALID_DAYS });
      },
    });
}

type Adding = { key: DemoKey; caller: Caller; today: Date; sandbox: boolean };

async function addKey(change: Change, { key, caller, today, sandbox }: Adding): Promise<void> {
  const { label, scopes, networks, address, days, revokedDays, rotated, calls, lastMinutes } = key;
  const madeAt = instantBefore(today, days * DAY_MS);
  const expiresAt = instantAfter(madeAt, VALID_DAYS * DAY_MS);
  // One that expires soon was reminded of already: no one gets mail about it on a first visit.
  const remindedAt = days > VALID_DAYS - 14 ? instantBefore(expiresAt, 14 * DAY_MS) : null;
  const revokedAt = revokedDays === undefined ? null : instantBefore(today, revokedDays * DAY_MS);
  const [row] = await change.rows<{ apiKeyId: string }>(sql`
    insert into api_key (account_name, label, scopes, networks, login_id, issuer, subject, created_at, expires_at, reminded_at, revoked_at)
    values (${accountName}, ${label}, ${scopes}::text[], ${networks}::text[]::cidr[], ${caller.loginId}, ${caller.issuer}, ${caller.subject},
      ${madeAt}::timestamptz, ${expiresAt}::timestamptz, ${remindedAt}::timestamptz, ${revokedAt}::timestamptz) returning api_key_id::text`);
  const { apiKeyId } = row!;
  const addSecret = (at: string, endsAt: string | null): Promise<unknown> =>
    change.rows(sql`insert into api_key_secret (api_key_id, prefix, hash, made_at, ends_at)
      values (${apiKeyId}::bigint, ${prefixOf(newSecret(sandbox ? 'sandbox' : 'registry'))}, ${randomBytes(32)}, ${at}::timestamptz, ${endsAt}::timestamptz)`);
  const replacedAt = rotated && instantBefore(today, rotated.hours * HOUR_MS);
  if (rotated) await addSecret(madeAt, instantAfter(today, rotated.left * HOUR_MS));
  await addSecret(replacedAt ?? madeAt, null);
  for (const [ago, count] of calls.entries()) {
    if (count === 0) continue;
    const lastAt = instantBefore(today, ago * DAY_MS + lastMinutes * MINUTE_MS);
    // A program that still has the old secret.
    const oldAt = rotated && ago === 0 ? instantBefore(lastAt, 12 * MINUTE_MS) : null;
    await change.rows(sql`insert into api_key_use (api_key_id, day, calls, refused, last_at, last_address, old_at, old_address)
      values (${apiKeyId}::bigint, ${utcDay(lastAt)}::date, ${count}, 0, ${lastAt}::timestamptz, ${address}::inet, ${oldAt}::timestamptz,
        ${oldAt === null ? null : address}::inet)`);
  }
}

export { regionStages } from './demo-region.ts';
