import type { CallInput } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';
const ask: CallInput<typeof api.contacts.askForPermission> = {
  account,
  body: { permissions: ['resources-view'], page: '/resources/ipv4', message: 'I reconcile the invoice' },
};

describe.each(kindsForRules)('asking for a permission on %s', kind => {
  test('“Why not?” names who has it and who can grant it', async () => {
    await using portal = await testPortal(kind);
    const bill = await portal.as('bill');
    const { data } = await bill(api.contacts.whoHoldsPermission, { account, query: { permission: 'resources-view' } });
    expect(data).toMatchObject({
      label: 'View number resources',
      holders: [{ name: 'Corin Achterberg' }, { name: 'Tess Lindqvist' }, { name: 'Tilda Marchetti' }],
      granters: [{ name: 'Corin Achterberg' }],
      askedAt: null,
    });
  });

  test('contacts who can grant it get an e-mail, the request is logged, and nothing is granted', async () => {
    await using portal = await testPortal(kind);
    const bill = await portal.as('bill');
    expect(await bill(api.contacts.askForPermission, ask)).toMatchObject({ status: 200, data: { asked: ['Corin Achterberg'] } });

    const mail = await portal.db.read.selectFrom('mail').selectAll().execute();
    expect(mail).toMatchObject([{ recipient: 'corin@example-au.example', subject: 'Bill Okonkwo asks for a permission in EXAMPLE-AU' }]);
    expect(mail[0]!.body).toContain('I reconcile the invoice');
    expect(await portal.lastActivity()).toMatchObject({
      action: 'contacts.askForPermission',
      accountName: account,
      details: { permissions: ['resources-view'] },
    });
    expect((await bill(api.resources.getSummary, { account })).status).toBe(403);

    const corin = await portal.as('corin');
    const { data } = await corin(api.home.getHome, { account });
    expect(data!.attention!.map(item => item.attentionId)).toContain('access-requests');
  });

  test('of two concurrent clicks one makes the request, the other is refused', async () => {
    await using portal = await testPortal(kind);
    const bill = await portal.as('bill');
    const answers = await Promise.all([bill(api.contacts.askForPermission, ask), bill(api.contacts.askForPermission, ask)]);
    expect(answers.map(answer => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await portal.db.read.selectFrom('mail').selectAll().execute()).toHaveLength(1);
  });
});
