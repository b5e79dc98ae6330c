import { api } from '@portal/contract/api';
import { HOUR_MS } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { parseResource } from '@portal/number-resources';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { lockParts } from './locked-parts.ts';
import { releaseLocks } from './locks.ts';

const account = 'EXAMPLE-AU';
const resource = '198.18.0.0/19';
const later = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

const transferOf = async (portal: TestPortal, resources: string[]) => {
  const corin = await portal.as('corin');
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
  const form = { ...emptyForm, resources, recipient: 'OTHER-SG', reason: 'Sold' };
  const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
  return corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
};
const statusOf = async (portal: TestPortal, path: string): Promise<string[]> =>
  ((await (await portal.request(`/rdap/${path}`)).json()) as { status: string[] }).status;

describe.each(kindsForRules)('locks of resources on %s', kind => {
  test('no part of a locked block can be transferred, and RDAP says so, until two people have released it and the delay is over', async () => {
    await using portal = await testPortal(kind);
    const [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
    const added = (await tess(api.resourceLocks.addLocks, { account, body: { resources: [resource, 'AS64500'] } })).data!;
    expect(added.rows.map(row => row.resource)).toEqual(['AS64500', resource]);
    expect(await statusOf(portal, `ip/${resource}`)).toEqual(['active', 'transfer prohibited', 'delete prohibited']);
    expect(await statusOf(portal, 'autnum/64500')).toEqual(['active', 'transfer prohibited', 'delete prohibited']);
    expect(await statusOf(portal, 'ip/198.18.12.0/23')).toEqual(['active']);
    expect(await transferOf(portal, ['198.18.8.0/22'])).toMatchObject({ errors: [{ code: 'RESOURCE_LOCKED' }] });
    const { lockId } = added.rows[1]!;

    expect((await tess(api.resourceLocks.requestRelease, { account, lockId })).data!.rows[1]).toMatchObject({
      release: { isMine: true, confirmedBy: null },
    });
    expect(await tess(api.resourceLocks.requestRelease, { account, lockId })).toMatchObject({ errors: [{ code: 'RELEASE_STATE' }] });
    expect(await tess(api.resourceLocks.confirmRelease, { account, lockId })).toMatchObject({ errors: [{ code: 'OWN_REQUEST' }] });
    await releaseLocks(portal.db, later(100));
    expect(await transferOf(portal, ['198.18.8.0/22'])).toMatchObject({ errors: [{ code: 'RESOURCE_LOCKED' }] });
    expect(await corin(api.resourceLocks.confirmRelease, { account, lockId })).toMatchObject({ status: 200 });
    await releaseLocks(portal.db, later(71));
    expect(await transferOf(portal, ['198.18.8.0/22'])).toMatchObject({ errors: [{ code: 'RESOURCE_LOCKED' }] });
    await Promise.all([releaseLocks(portal.db, later(73)), releaseLocks(portal.db, later(73))]);
    expect(await statusOf(portal, `ip/${resource}`)).toEqual(['active']);
    expect((await transferOf(portal, ['198.18.8.0/22'])).data).toMatchObject({ state: 'offered' });
    const mails = (await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes(resource));
    expect(mails.map(({ subject }) => subject.replace(/^.*?: /, ''))).toHaveLength(4);
  });

  test('a release can be cancelled until it takes effect, and then requested again', async () => {
    await using portal = await testPortal(kind);
    const [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
    const { lockId } = (await corin(api.resourceLocks.addLocks, { account, body: { resources: [resource] } })).data!.rows[0]!;
    await corin(api.resourceLocks.requestRelease, { account, lockId });
    await tess(api.resourceLocks.confirmRelease, { account, lockId });
    expect((await tess(api.resourceLocks.cancelRelease, { account, lockId })).data!.rows[0]!.release).toBeNull();
    await releaseLocks(portal.db, later(100));
    expect((await corin(api.resourceLocks.listLocks, { account })).data!.rows).toHaveLength(1);
    expect(await tess(api.resourceLocks.cancelRelease, { account, lockId })).toMatchObject({ errors: [{ code: 'RELEASE_STATE' }] });
  });

  test('an account can lock only its own resources that aren’t under transfer, and no other account can change a lock', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, bill] = [await portal.as('corin'), await portal.as('olive'), await portal.as('bill')];
    const add = (resources: string[]) => corin(api.resourceLocks.addLocks, { account, body: { resources } });
    expect(await add(['198.51.100.0/24'])).toMatchObject({ errors: [{ code: 'NOT_HOLDER', field: 'resources' }] });
    expect(await add(['198.18.8.0/22'])).toMatchObject({ errors: [{ code: 'NOT_HOLDER' }] });
    const { lockId } = (await add(['AS64500'])).data!.rows[0]!;
    expect((await add(['AS64500'])).data!.rows).toHaveLength(1);
    expect(await olive(api.resourceLocks.requestRelease, { account: 'OTHER-SG', lockId })).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    });
    expect(await bill(api.resourceLocks.listLocks, { account })).toMatchObject({ status: 403 });
    await portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, change =>
      lockParts(change, { reference: 'REQ-9', accountName: account, act: 'transfer', fixed: false }, [parseResource(resource)]),
    );
    expect(await add([resource])).toMatchObject({ errors: [{ code: 'RESOURCE_LOCKED' }] });
  });

  test('registry staff can confirm for an account without a second contact, but not for their own accounts', async () => {
    await using portal = await testPortal(kind);
    const [olive, stella] = [await portal.as('olive'), await portal.as('stella')];
    const { rows } = (await olive(api.resourceLocks.addLocks, { account: 'OTHER-SG', body: { resources: ['198.51.100.0/24'] } })).data!;
    const { lockId } = rows[0]!;
    expect(await stella(api.resourceLocks.confirmStaffRelease, { lockId })).toMatchObject({ errors: [{ code: 'RELEASE_STATE' }] });
    await olive(api.resourceLocks.requestRelease, { account: 'OTHER-SG', lockId });
    expect((await stella(api.resourceLocks.confirmStaffRelease, { lockId })).data!.rows[0]!.release).toMatchObject({
      confirmedBy: 'Registry staff',
    });
    expect((await stella(api.resourceLocks.listStaffLocks, { accountName: 'OTHER-SG' })).data!.rows).toHaveLength(1);
    await releaseLocks(portal.db, later(73));
    expect((await olive(api.resourceLocks.listLocks, { account: 'OTHER-SG' })).data!.rows).toEqual([]);
  });
});
