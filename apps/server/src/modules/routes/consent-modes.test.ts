import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import type { RouteChanges } from '@portal/contract/routes/routes';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';

const account = 'EXAMPLE-AU';

/** A registry whose profile has this mode. */
async function registryWith(routeConsent: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-profile-'));
  const file = path.join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ routeConsent }));
  try {
    return await testPortal(undefined, { REGISTRY_PROFILE: file });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['notify', 'off'])('with %s a route from another member’s AS number is written without waiting', async mode => {
  await using portal = await registryWith(mode);
  const corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  const before = (await portal.mailsTo('noc@other-sg.example')).length;
  const { version } = (await corin(api.routes.listRoutes, { account, query: {} })).data!;
  const add = [{ prefix: '198.18.20.0/24', asn: 'AS64501', whois: true }] as RouteChanges['add'];
  const changes = { add, change: [], remove: [], adopt: [], text: '' };
  const check = (await corin(api.routes.checkRoutes, { account, body: changes })).data!;
  expect(check.planned).toMatchObject([{ waitsFor: [], objects: [{ shown: 'route 198.18.20.0/24AS64501', done: 'create' }] }]);
  const { data } = await corin(api.routes.saveRoutes, { account, body: { ...changes, version } });
  expect(data!.items[0]!.results.map(({ object, done }) => `${done} ${object}`)).toEqual([
    'added ROA AS64501 198.18.20.0/24',
    'added route 198.18.20.0/24AS64501',
  ]);
  expect((await corin(api.whoisConsents.listConsents, { account })).data!.asked).toEqual([]);
  const mails = (await portal.mailsTo('noc@other-sg.example')).slice(before);
  if (mode === 'off') expect(mails).toEqual([]);
  else {
    expect(mails).toMatchObject([{ subject: 'Route from your AS number: route 198.18.20.0/24 AS64501' }]);
    expect(mails[0]!.body).toMatch(/Corin [^]* added a route object that names? your AS number as origin[^]*origin: +AS64501/);
  }
  // The holder of the addresses has to agree in every mode.
  const foreign = 'route: 198.51.100.0/24\ndescr: Not ours\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
  const { outcomes, consent } = (await corin(api.whoisConsents.askForConsent, { account, body: { text: foreign } })).data!;
  expect(outcomes[0]!.problems).toMatchObject([{ code: 'prefix-not-authorised' }]);
  expect(consent).toMatchObject({ state: 'waiting', maintainers: ['MAINT-SG-OTHER'] });
});

test('a profile with an unknown mode is refused', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-profile-'));
  const file = path.join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ routeConsent: 'perhaps' }));
  expect(() => readProfile(file)).toThrow('"routeConsent" must be one of approve, notify, off');
  rmSync(folder, { recursive: true });
});
