import { people } from '@portal/contract/identity/people';
import { describe, expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';

describe('the signed-in person', () => {
  test('sees name, second factor, and whether this session used it', async () => {
    await using portal = await testPortal();
    const corin = await (await portal.as('corin'))(people.getMe, {});
    expect(corin.data).toMatchObject({
      email: 'corin@example-au.example',
      staff: false,
      staffPermissions: [],
      hasSecondFactor: true,
      mfa: true,
      preferences: { tables: {} },
    });
    const bill = await (await portal.as('bill', { mfa: false }))(people.getMe, {});
    expect(bill.data).toMatchObject({ hasSecondFactor: false, mfa: false });
    expect((await (await portal.as('stella'))(people.getMe, {})).data?.staff).toBe(true);
    expect((await (await portal.as(null))(people.getMe, {})).status).toBe(401);
  });

  test('keeps no more settings than the tables of the portal need: they come with every page', async () => {
    await using portal = await testPortal();
    const tess = await portal.as('tess');
    const filters = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x'.repeat(400)]));
    const save = (n: number, state: object) => tess(people.savePreferences, { body: { table: { id: `a.t${n}`, state } } });
    expect((await save(0, { filters: { ...filters, f0: 'x'.repeat(401) } })).status).toBe(400);
    expect((await save(0, { hidden: Array.from({ length: 101 }, (_, n) => `c${n}`) })).status).toBe(400);
    for (let n = 0; n < 3; n++) expect((await save(n, { filters })).status).toBe(200);
    expect((await save(3, { filters })).errors).toMatchObject([{ code: 'INVALID_REQUEST', message: expect.stringContaining('64 KB') }]);
    // Nothing of it is kept, and what was there can still be changed.
    expect(Object.keys((await tess(people.getMe, {})).data!.preferences.tables)).toEqual(['a.t0', 'a.t1', 'a.t2']);
    expect((await save(2, { filters: {} })).status).toBe(200);
    expect((await save(3, { filters })).status).toBe(200);
  });

  test('keeps settings between visits: settings left out stay, and two tabs that save two tables keep both', async () => {
    await using portal = await testPortal();
    const tess = await portal.as('tess');
    await tess(people.savePreferences, { body: { theme: 'dark', timeZone: 'Pacific/Auckland' } });
    await Promise.all([
      tess(people.savePreferences, { body: { table: { id: 'resources.ipv4', state: { hidden: ['economy'] } } } }),
      tess(people.savePreferences, { body: { table: { id: 'contacts.list', state: { pageSize: 50 } } } }),
    ]);
    const saved = await tess(people.savePreferences, { body: { theme: 'light' } });
    expect((await portal.lastActivity())?.action).toBe('identity.people.savePreferences');
    const expected = {
      theme: 'light',
      timeZone: 'Pacific/Auckland',
      tables: { 'resources.ipv4': { hidden: ['economy'] }, 'contacts.list': { pageSize: 50 } },
    };
    expect(saved.data).toEqual(expected);
    expect((await tess(people.getMe, {})).data?.preferences).toEqual(expected);
    expect((await (await portal.as('corin'))(people.getMe, {})).data?.preferences).toEqual({ tables: {} });
  });

  test('gets an error for an unknown setting', async () => {
    await using portal = await testPortal();
    const answer = await (await portal.as('tess'))(people.savePreferences, { body: { theme: 'pink' as never } });
    expect(answer).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST' }] });
  });
});
