import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { submit } from './submit.ts';
import type { Credentials, WhoisOutcome } from '../store/update.ts';

const profile = readProfile('');
const registry: Credentials = { maintainers: new Set(), holder: null, mayWriteDomains: true, registry: true, who: 'The registry' };
const activity = { action: 'test', summary: 'Tested routes', traceId: '0'.repeat(32) };

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  await portal.db.change(activity, change =>
    change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at)
      values ('EXAMPLE-AU', '198.18.24.0/24', 24, 64500, ${change.now}::timestamptz) on conflict do nothing`),
  );
});
afterAll(() => portal[Symbol.asyncDispose]());

const route = (prefix: string, origin: number): string =>
  `route: ${prefix}\ndescr: Origins\norigin: AS${origin}\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
const write = async (text: string): Promise<WhoisOutcome> => {
  const outcomes = await portal.db.change(activity, change =>
    submit(change, [{ operation: 'auto', text }], { credentials: registry, mode: 'best-effort', profile }),
  );
  return outcomes[0]!;
};
const warnings = ({ problems }: WhoisOutcome): string[] =>
  problems.filter(({ code }) => code === 'rpki-invalid').map(({ message }) => message);

test('a route that a ROA contradicts is stored with a warning, at the preview and when it is changed', async () => {
  const made = await write(route('198.18.24.0/24', 65_536));
  expect([made.state, warnings(made)]).toEqual([
    'ok',
    [
      'No ROA names AS65536 for 198.18.24.0/24, and one names another (198.18.24.0/24 AS64500, to /24). Routers that validate drop this announcement. Change the ROA first, or don’t announce it',
    ],
  ]);
  expect(
    warnings(
      await write(made.after!.replace('descr:          Origins', 'descr:          Others').replace('descr: Origins', 'descr: Others')),
    ),
  ).toHaveLength(1);
});

test('a route longer than the ROA of its AS allows gets a warning, and a valid one doesn’t', async () => {
  expect(warnings(await write(route('198.18.24.0/25', 64_500)))).toEqual([
    'The ROA of AS64500 allows no prefix as long as 198.18.24.0/25 (198.18.24.0/24 AS64500, to /24). Routers that validate drop this announcement. Change the ROA first, or don’t announce it',
  ]);
  expect(warnings(await write(route('198.18.24.0/24', 64_500)))).toEqual([]);
});
