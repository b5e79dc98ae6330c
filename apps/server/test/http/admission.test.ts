import { type ContactType, defaultPermissions, type Endpoint, endpoint, group, member, signedIn, staff } from '@portal/contract';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessInWords } from '../../../../tools/docs/access.ts';
import { startCoolDown } from '../../src/modules/identity/factors/cool-down.ts';
import { dayInWords } from '../../src/platform/day-words.ts';
import { implement, mount } from '../../src/platform/http/endpoints.ts';
import { refuse } from '../../src/platform/failure.ts';
import { openApiDocument } from '../../src/platform/http/openapi.ts';
import { bearerWith } from '../bearer-with.ts';
import { testPortal, type TestPortal } from '../portal.ts';
import { undeclaredInTests } from '../undeclared-in-tests.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

/** Sample declarations of registry changes. */
const trials = group('trials', {
  changeRegistry: endpoint({
    method: 'POST',
    path: '/api/:account/trials',
    summary: 'Change the registry.',
    access: member('roas-update'),
    effect: 'routing',
    activity: 'Changed the registry',
  }),
  answerUndeclared: endpoint({
    method: 'POST',
    path: '/api/trials/undeclared',
    summary: 'Answer an error that is not declared.',
    access: signedIn,
    effect: 'own details',
    errors: ['ALREADY_RESOLVED'],
    activity: 'Answered an error',
  }),
  changeAsStaff: endpoint({
    method: 'POST',
    path: '/api/staff/trials',
    summary: 'Change the registry as its staff.',
    access: staff('ledger'),
    effect: 'statements',
    activity: 'Changed the registry',
  }),
});

describe('a change of the registry', () => {
  let portal: TestPortal;
  let done = 0;
  let code: 'ALREADY_RESOLVED' | 'STALE' = 'ALREADY_RESOLVED';
  beforeAll(async () => {
    portal = await testPortal();
    const change = async (): Promise<void> => void done++;
    mount(
      portal.http,
      implement(trials, {
        changeRegistry: change,
        changeAsStaff: change,
        answerUndeclared: async () => {
          throw refuse(code, { what: 'It' });
        },
      }),
      portal.app.admission,
    );
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const attempt = async (name: string, changed: Record<string, unknown> = {}, path = '/api/EXAMPLE-AU/trials') => {
    const before = done;
    const answer = await portal.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await bearerWith(portal, name, changed)}` },
    });
    const { errors } = (answer.status === 204 ? {} : await answer.json()) as { errors?: { code: string; message: string }[] };
    return {
      status: answer.status,
      code: errors?.[0]?.code,
      message: errors?.[0]?.message,
      // Without what it says about the act: `acts-in-words.test.ts` is about that.
      challenge: answer.headers.get('www-authenticate')?.replace(/, asked_act=.*$/, '') ?? null,
      happened: done > before,
    };
  };
  const now = (): number => Math.floor(Date.now() / 1000);
  const asked = () =>
    `Bearer error="insufficient_user_authentication", acr_values="${portal.config.stepUpAcr}", max_age="${portal.config.stepUpMaxAgeSeconds}"`;

  test('is possible in a session with a fresh second factor', async () => {
    expect(await attempt('corin')).toMatchObject({ status: 204, happened: true });
    expect(await attempt('corin', { auth_time: now() - 299 })).toMatchObject({ status: 204, happened: true });
    expect(await attempt('stella', {}, '/api/staff/trials')).toMatchObject({ status: 204, happened: true });
  });

  test.each<[string, () => Record<string, unknown>, string]>([
    ['without a second factor', () => ({ amr: ['pwd'], acr: undefined }), 'MFA_REQUIRED'],
    ['whose second factor was a recovery code', () => ({ amr: ['pwd', 'rc', 'mfa'] }), 'MFA_REQUIRED'],
    ['of six minutes ago', () => ({ auth_time: now() - 360 }), 'MFA_TOO_OLD'],
    ['whose provider does not say when', () => ({ auth_time: undefined }), 'MFA_TOO_OLD'],
    ['whose provider says the year 1970', () => ({ auth_time: 0 }), 'MFA_TOO_OLD'],
    ['that says it will sign in tomorrow', () => ({ auth_time: now() + 86_400 }), 'MFA_TOO_OLD'],
  ])('is not done in a session %s: the answer is the challenge of RFC 9470', async (_which, claims, code) => {
    expect(await attempt('corin', claims())).toMatchObject({ status: 401, code, challenge: asked(), happened: false });
    expect(await attempt('stella', claims(), '/api/staff/trials')).toMatchObject({
      status: 401,
      code,
      challenge: asked(),
      happened: false,
    });
  });

  test('is refused while the login cools down, whatever the token says, with the time and the reason', async () => {
    const tess = await portal.db.read.selectFrom('login').select('loginId').where('username', '=', 'tess').executeTakeFirstOrThrow();
    expect(await attempt('tess')).toMatchObject({ status: 204, happened: true });
    await portal.db.change(line, change => startCoolDown(change, tess.loginId, 'password-reset'));
    const tomorrow = dayInWords(utcDay(Date.now() + DAY_MS));
    for (const claims of [{}, { auth_time: now() - 3600 }, { cool_down_until: 0 }]) {
      const refused = await attempt('tess', claims);
      expect(refused).toMatchObject({ status: 403, code: 'COOLING_DOWN', challenge: null, happened: false });
      expect(refused.message).toMatch(
        new RegExp(`^The password of your login was reset\\. For security, it can’t make changes until ${tomorrow} at \\d\\d:\\d\\d UTC$`),
      );
    }
    await portal.db.change(line, change =>
      change.updateTable('login').set({ coolDownUntil: change.now }).where('loginId', '=', tess.loginId).execute(),
    );
    expect(await attempt('tess')).toMatchObject({ status: 204, happened: true });
  });

  describe('whois, and customers,', () => {
    const post = async (name: string, claims: Record<string, unknown>, path: string, body: object) => {
      const authorization = `Bearer ${await bearerWith(portal, name, claims)}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await portal.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      const { errors } = (await answer.json()) as { errors?: { code: string }[] };
      return { code: errors?.[0]?.code ?? 'done', challenge: answer.headers.get('www-authenticate') };
    };
    const person = (name: string): string =>
      `person: ${name}\naddress: 1 Some Street\ncountry: AU\nphone: +61 7 5550 0100\ne-mail: a@example-au.example\nnic-hdl: AUTO-1\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
    const write = (name: string, claims: Record<string, unknown>) =>
      post(name, claims, '/api/EXAMPLE-AU/whois/updates', { updates: [{ text: person(`Written by ${name}`) }] });
    const upload = (name: string, claims: Record<string, unknown>) =>
      post(name, claims, '/api/EXAMPLE-AU/whois/uploads', { text: person('Ute Upload') });
    const assign = (name: string, claims: Record<string, unknown>) => post(name, claims, '/api/EXAMPLE-AU/customers/assignments', {});

    test.each<[string, Record<string, unknown>]>([
      ['a password alone', { amr: ['pwd'], acr: undefined }],
      ['a provider that says nothing of how', { amr: undefined, acr: undefined, auth_time: undefined }],
      ['a recovery code', { amr: ['pwd', 'rc', 'mfa'] }],
    ])('are not changed in a session of %s', async (_how, claims) => {
      for (const tried of [write, upload]) {
        const { code, challenge } = await tried('tess', claims);
        expect([code, challenge]).toEqual(['MFA_REQUIRED', expect.stringContaining('insufficient_user_authentication')]);
      }
      expect((await assign('tess', claims)).code).toBe('MFA_REQUIRED');
      expect((await write('tess', {})).code).toBe('done');
    });

    test('are not changed by a contact who was given the permission after signing in with a password', async () => {
      const weak = { amr: ['pwd'], acr: undefined };
      expect((await assign('bill', weak)).code).toBe('NO_PERMISSION');
      const makeBill = (...contactTypes: ContactType[]) =>
        portal.db.change(line, change =>
          change
            .updateTable('contact')
            .set({ contactTypes, permissions: [...defaultPermissions(contactTypes)] })
            .where('fullName', '=', 'Bill Okonkwo')
            .where('accountName', '=', 'EXAMPLE-AU')
            .execute(),
        );
      await makeBill('technical', 'billing');
      for (const tried of [write, upload, assign]) expect((await tried('bill', weak)).code).toBe('MFA_REQUIRED');
      expect((await write('bill', {})).code).toBe('done');
      await makeBill('billing');
    });

    test('wait while the login cools down', async () => {
      const tess = await portal.db.read.selectFrom('login').select('loginId').where('username', '=', 'tess').executeTakeFirstOrThrow();
      await portal.db.change(line, change => startCoolDown(change, tess.loginId, 'password-reset'));
      for (const tried of [write, upload, assign]) expect((await tried('tess', {})).code).toBe('COOLING_DOWN');
      await portal.db.change(line, change =>
        change.updateTable('login').set({ coolDownUntil: change.now }).where('loginId', '=', tess.loginId).execute(),
      );
      expect((await write('tess', {})).code).toBe('done');
    });
  });

  test('checks the permission before it asks for anything, and logs refusals', async () => {
    expect(await attempt('bill', { amr: ['pwd'] })).toMatchObject({ status: 403, code: 'NO_PERMISSION' });
    expect(await attempt('olive', { amr: ['pwd'] })).toMatchObject({ status: 404, code: 'ACCOUNT_NOT_FOUND' });
    await attempt('corin', { auth_time: now() - 360 });
    expect(await portal.lastActivity()).toMatchObject({ action: 'trials.changeRegistry', refusal: 'MFA_TOO_OLD' });
  });

  test.each([
    ['the connection is cut', Object.assign(new Error('terminating connection'), { code: '57P01' }), 503, 'UNAVAILABLE'],
    ['nobody listens there', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'UNAVAILABLE'],
    ['it answers nonsense', new Error('relation "contact" does not exist'), 500, 'UNEXPECTED_ERROR'],
  ])('is refused to everyone while the database can’t tell who may: %s', async (_how, error, status, code) => {
    const bearer = await bearerWith(portal, 'corin', {});
    const ask = (path: string, method: string) => portal.request(path, { method, headers: { authorization: `Bearer ${bearer}` } });
    // The bearer is cached as valid; membership and cool-down are read on every call.
    expect((await ask('/api/EXAMPLE-AU/trials', 'POST')).status).toBe(204);
    const before = done;
    const { read } = portal.db;
    const failing = vi.spyOn(read, 'rows').mockRejectedValue(error);
    try {
      for (const [path, method] of [
        ['/api/EXAMPLE-AU/trials', 'POST'],
        ['/api/EXAMPLE-AU/resources/summary', 'GET'],
      ] as const) {
        const answer = await ask(path, method);
        expect([answer.status, ((await answer.json()) as { errors: { code: string }[] }).errors[0]!.code]).toEqual([status, code]);
      }
    } finally {
      failing.mockRestore();
    }
    expect(done).toBe(before);
  });

  test('is refused if only the cool-down can’t be read', async () => {
    const bearer = await bearerWith(portal, 'corin', {});
    const admission = portal.app.admission;
    const coolDownOf = admission.coolDownOf.bind(admission);
    const before = done;
    admission.coolDownOf = () => Promise.reject(Object.assign(new Error('cut'), { code: '57P01' }));
    try {
      const answer = await portal.request('/api/EXAMPLE-AU/trials', { method: 'POST', headers: { authorization: `Bearer ${bearer}` } });
      expect(answer.status).toBe(503);
    } finally {
      admission.coolDownOf = coolDownOf;
    }
    expect(done).toBe(before);
  });

  test('an undeclared error is answered, logged as a defect, and fails the test run', async () => {
    const { admission } = portal.app;
    const real = admission.undeclared;
    const found = undeclaredInTests();
    admission.undeclared = found.onUndeclared;
    const asked = () => attempt('corin', {}, '/api/trials/undeclared');
    try {
      expect(await asked()).toMatchObject({ status: 409, code: 'ALREADY_RESOLVED' });
      expect(() => found.refuse()).not.toThrow();
      code = 'STALE';
      expect(await asked()).toMatchObject({ status: 412, code: 'STALE' });
      expect(() => found.refuse()).toThrow('trials.answerUndeclared answered STALE');
    } finally {
      admission.undeclared = real;
    }
  });

  test('is described in the OpenAPI document and in the list of endpoints', () => {
    const { paths } = openApiDocument({ title: 'Trials', url: portal.config.appUrl, endpoints: Object.values(trials) as Endpoint[] });
    const { responses } = paths['/api/{account}/trials']!.post!;
    expect(responses['401']!.description).toMatch(/MFA_REQUIRED: .*\nMFA_TOO_OLD: /);
    expect(responses['403']!.description).toContain('COOLING_DOWN: ');
    expect(accessInWords(trials.changeRegistry)).toBe('`roas-update`, with a second factor given just now');
    expect(accessInWords(trials.changeAsStaff)).toBe('registry staff: `ledger`, with a second factor given just now');
  });
});

test('a change without an effect is not an endpoint, and neither is a read with one', () => {
  const call = { path: '/api/:account/trials', summary: 'Try.', access: member('roas-update') } as const;
  // @ts-expect-error -- a changing endpoint declares its effect
  const silent = endpoint({ ...call, method: 'POST', activity: 'Tried' });
  // @ts-expect-error -- an effect is one of the table
  const unknown = endpoint({ ...call, method: 'POST', activity: 'Tried', effect: 'weather' });
  // @ts-expect-error -- a read has no effect
  const read = endpoint({ ...call, method: 'GET', effect: 'reading' });
  expect([silent.effect, unknown.effect, read.effect]).toEqual([undefined, 'weather', 'reading']);
});
