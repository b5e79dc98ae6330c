import { endpoint, group, member, staff as staffWith } from '@portal/contract';
import { confirmationHeader } from '@portal/contract/shell/confirmation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { implement, mount } from '../../src/platform/http/endpoints.ts';
import { type Confirmed, openConfirmations } from '../../src/platform/http/confirmed.ts';
import { bearerWith } from '../bearer-with.ts';
import { testPortal, type TestPortal } from '../portal.ts';

const changing = { method: 'POST', access: member('roas-update'), activity: 'Changed the registry' } as const;
const trials = group('confirmed', {
  changeRoutes: endpoint({ ...changing, path: '/api/:account/confirmed/routes', summary: 'Change routes.', effect: 'routing' }),
  changeKeys: endpoint({ ...changing, path: '/api/:account/confirmed/keys', summary: 'Change keys.', effect: ['routing', 'keys'] }),
  changeAsStaff: endpoint({
    ...changing,
    access: staffWith('ledger'),
    path: '/api/staff/confirmed',
    summary: 'Change as staff.',
    effect: 'holding',
  }),
});
const routes = '/api/EXAMPLE-AU/confirmed/routes';
const keys = '/api/EXAMPLE-AU/confirmed/keys';
const staff = '/api/staff/confirmed';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  const change = () => Promise.resolve();
  mount(portal.http, implement(trials, { changeRoutes: change, changeKeys: change, changeAsStaff: change }), portal.app.admission);
});
afterAll(() => portal[Symbol.asyncDispose]());

const now = (): number => Math.floor(Date.now() / 1000);
const loginOf = async (name: string): Promise<string> =>
  (await portal.db.read.selectFrom('login').select('loginId').where('username', '=', name).executeTakeFirstOrThrow()).loginId;
const sid = 'session-of-the-page';

/** Calls as this person, whose sign-in is an hour old, with what they confirmed. */
async function attempt(path: string, name: string, confirmed: Partial<Confirmed> | string | null, claims: Record<string, unknown> = {}) {
  const written =
    typeof confirmed === 'string' || confirmed === null
      ? confirmed
      : portal.app.identity.confirmations.write({
          loginId: await loginOf(name),
          sid,
          effects: ['routing'],
          account: 'EXAMPLE-AU',
          amr: ['pwd', 'otp', 'mfa'],
          at: now(),
          ...confirmed,
        });
  const bearer = await bearerWith(portal, name, { auth_time: now() - 3600, sid, ...claims });
  const answer = await portal.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, ...(written !== null && { [confirmationHeader]: written }) },
  });
  const { errors } = (answer.status === 204 ? {} : await answer.json()) as { errors?: { code: string }[] };
  return errors?.[0]?.code ?? answer.status;
}

test('a confirmed change is made, and its line has the methods that were proven', async () => {
  expect(await attempt(routes, 'corin', null)).toBe('MFA_TOO_OLD');
  expect(await attempt(routes, 'corin', {}, { amr: ['pwd', 'mfa'] })).toBe(204);
  expect(await portal.lastActivity()).toMatchObject({ action: 'confirmed.changeRoutes', sid, amr: ['pwd', 'mfa', 'otp'], refusal: null });
  // Also in a session that was opened with the password alone.
  expect(await attempt(routes, 'corin', {}, { amr: ['pwd'], acr: undefined })).toBe(204);
});

test.each<[string, () => Partial<Confirmed> | Promise<Partial<Confirmed>>]>([
  ['of another session of the person', () => ({ sid: 'another' })],
  ['of another person', async () => ({ loginId: await loginOf('tess') })],
  ['of another kind of change', () => ({ effects: ['whois'] })],
  ['for another account', () => ({ account: 'SOUTHSITE-NZ' })],
  ['for no account', () => ({ account: null })],
  ['of six minutes ago', () => ({ at: now() - 360 })],
  ['of tomorrow', () => ({ at: now() + 86_400 })],
])('a confirmation %s serves nothing', async (_what, confirmed) => {
  expect(await attempt(routes, 'corin', await confirmed(), { amr: ['pwd', 'mfa'] })).toBe('MFA_TOO_OLD');
  // Nor does its line claim the methods.
  expect(await portal.lastActivity()).toMatchObject({ action: 'confirmed.changeRoutes', amr: ['pwd', 'mfa'], refusal: 'MFA_TOO_OLD' });
});

test('what was written with another key, changed or cut serves nothing', async () => {
  const confirmed: Confirmed = {
    loginId: await loginOf('corin'),
    sid,
    effects: ['routing'],
    account: 'EXAMPLE-AU',
    amr: ['pwd', 'otp', 'mfa'],
    at: now(),
  };
  const ours = portal.app.identity.confirmations.write(confirmed);
  const theirs = openConfirmations(readConfig({ APP_URL: 'http://x.test', SECRET_KEY: 'another secret of more than 32 characters' }));
  const [payload, signature] = ours.split('.') as [string, string];
  const changed = Buffer.from(JSON.stringify({ ...confirmed, effects: ['routing', 'keys'] })).toString('base64url');
  for (const written of [
    theirs.write(confirmed),
    `${changed}.${signature}`,
    payload,
    `${payload}.`,
    `${ours}.${signature}`,
    '',
    '.',
    'x.y',
  ])
    expect(await attempt(routes, 'corin', written), written).toBe('MFA_TOO_OLD');
  expect(await attempt(routes, 'corin', ours)).toBe(204);
});

test('after the key of the registry was replaced a confirmation is still good', async () => {
  const [before, after] = ['an old secret of more than 32 characters!', 'a new secret of more than 32 characters!'];
  const settings = { APP_URL: 'http://x.test', SECRET_KEY: after, SECRET_KEY_OLD: before };
  const old = openConfirmations(readConfig({ ...settings, SECRET_KEY: before, SECRET_KEY_OLD: '' }));
  const confirmed: Confirmed = { loginId: 'l', sid: 's', effects: ['routing'], account: null, amr: ['pwd', 'otp', 'mfa'], at: 1 };
  expect(openConfirmations(readConfig(settings)).read(old.write(confirmed), { loginId: 'l', sid: 's' })).toEqual(confirmed);
});

test('a change with several effects takes a confirmation of all of them', async () => {
  expect(await attempt(keys, 'corin', { effects: ['routing'] })).toBe('MFA_TOO_OLD');
  expect(await attempt(keys, 'corin', { effects: ['routing', 'keys'] })).toBe(204);
  expect(await attempt(routes, 'corin', { effects: ['routing', 'keys'] })).toBe(204);
});

test('nothing makes up for a recovery code', async () => {
  expect(await attempt(routes, 'corin', {}, { amr: ['pwd', 'rc', 'mfa'] })).toBe('MFA_REQUIRED');
});

test('for the work of registry staff a confirmation is good for fifteen minutes, a sign-in for five', async () => {
  expect(await attempt(staff, 'stella', { effects: ['holding'], account: null, at: now() - 840 })).toBe(204);
  expect(await attempt(staff, 'stella', { effects: ['holding'], account: null, at: now() - 960 })).toBe('MFA_TOO_OLD');
  expect(await attempt(staff, 'stella', null, { auth_time: now() - 240 })).toBe(204);
  expect(await attempt(staff, 'stella', null, { auth_time: now() - 360 })).toBe('MFA_TOO_OLD');
});

test('a confirmation for an account serves no call of registry staff', async () => {
  expect(await attempt(staff, 'stella', { effects: ['holding'] })).toBe('MFA_TOO_OLD');
});

test('a session without a name confirms nothing', async () => {
  expect(await attempt(routes, 'corin', {}, { sid: undefined })).toBe('MFA_TOO_OLD');
});
