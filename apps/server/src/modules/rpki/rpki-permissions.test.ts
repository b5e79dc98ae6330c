import { api } from '@portal/contract/api';
import type { Permission } from '@portal/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const roa = { prefix: '198.18.0.0/19', asn: 'AS64500', comment: '' };

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Calls that need exactly this permission. */
const gated: Record<string, (who: Client) => Promise<{ errors?: readonly { code: string }[] | undefined }>> = {
  'rescert-view': who => who(api.rpki.getStatus, { account }),
  'rescert-update': who => who(api.rpki.startRollover, { account }),
  'rpki-config-update': who => who(api.rpki.enable, { account }),
  'roas-update': who => who(api.rpki.checkRoas, { account, body: { add: [roa], remove: [] } }),
};

/** Gives Tess exactly these permissions. */
const giveTess = (permissions: Permission[]) =>
  portal.db.change({ action: 'test', summary: 'Set permissions', traceId: '0'.repeat(32) }, change =>
    change.updateTable('contact').set({ permissions }).where('accountName', '=', account).where('fullName', 'like', 'Tess%').execute(),
  );

test.each(Object.keys(gated))('%s opens its own calls, none of those of the other keys, and nothing without a second factor', async key => {
  await giveTess([key as Permission]);
  const [strong, weak] = [await portal.as('tess'), await portal.as('tess', { mfa: false })];
  for (const [other, call] of Object.entries(gated)) {
    const code = (await call(strong)).errors?.[0]!.code;
    if (other === key) expect(code, `${key} with a second factor`).not.toBe('NO_PERMISSION');
    else expect(code, `${key} does not open what ${other} opens`).toBe('NO_PERMISSION');
  }
  expect((await gated[key]!(weak)).errors![0]!.code).toBe('MFA_REQUIRED');
});

test('a contact without any of them sees and changes nothing', async () => {
  await giveTess([]);
  const tess = await portal.as('tess');
  for (const call of Object.values(gated)) expect((await call(tess)).errors![0]!.code).toBe('NO_PERMISSION');
});
