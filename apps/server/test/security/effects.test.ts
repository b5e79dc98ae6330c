import type { Admission } from '../../src/platform/admission.ts';
import { contact, type Endpoint, endpoint, group } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import { type Effect, effectKeys, effects, effectsOf } from '@portal/contract/effects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { implement, mount } from '../../src/platform/http/endpoints.ts';
import { takesDryRun } from '../../src/platform/http/rehearsal.ts';
import { bearerWith, ofSixMinutesAgo } from '../bearer-with.ts';
import { testPortal, type TestPortal } from '../portal.ts';
import { staffFor, staffPeople } from '../staff-for.ts';

const account = 'EXAMPLE-AU';
/** Effects on what the registry is trusted with (S24). */
const ofRegistry: readonly Effect[] = [
  'whois',
  'routing',
  'zones',
  'holding',
  'control',
  'money',
  'votes',
  'keys',
  'access',
  'approvals',
  'statements',
];
const isOfRegistry = (subject: Pick<Endpoint, 'effect'>): boolean => effectsOf(subject).some(effect => ofRegistry.includes(effect));

/** One call for each effect: every contact of an account makes it, and it adds a row. */
const trialOf = (effect: Effect, name: string) =>
  endpoint({
    method: 'POST',
    path: `/api/:account/trials/${name}`,
    summary: 'Try.',
    access: contact,
    effect,
    limit: { none: 'a trial' },
    activity: 'Tried',
  });
const nameOf = (effect: Effect): string => effect.replace(' ', '-');
const trials = group('trials', Object.fromEntries(effectKeys.map(effect => [nameOf(effect), trialOf(effect, nameOf(effect))])));

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  const handlers = Object.fromEntries(effectKeys.map(effect => [nameOf(effect), async () => {}]));
  mount(portal.http, implement(trials, handlers as never), portal.app.admission);
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Returns the refusal of a call, null where it was done. */
async function codeOf(path: string, method: string, bearer: string, body: string | null = null): Promise<string | null> {
  const headers = { authorization: `Bearer ${bearer}`, ...(body !== null && { 'content-type': 'application/json' }) };
  const answer = await portal.request(path, { method, headers, ...(body !== null && { body }) });
  return answer.ok ? null : (((await answer.json()) as { errors: { code: string }[] }).errors[0]?.code ?? null);
}

describe('in a session whose second factor was given six minutes ago', () => {
  const walk = async (asked: readonly Endpoint[], body: string): Promise<string[]> => {
    const bearers = new Map<string, string>();
    for (const name of ['corin', 'nils', ...staffPeople]) bearers.set(name, await bearerWith(portal, name, ofSixMinutesAgo()));
    const refused: string[] = [];
    for (const { id, access, method, path } of asked) {
      const isNir = access.who === 'member' && access.accounts === 'nir';
      const url = path.replace(/:account\b/, isNir ? 'NATREG-XX' : account).replace(/:\w+/g, 'x');
      const bearer = bearers.get(access.who === 'staff' ? staffFor(access.permissions) : isNir ? 'nils' : 'corin')!;
      if ((await codeOf(url, method, bearer, body)) === 'MFA_TOO_OLD') refused.push(id);
    }
    return refused;
  };
  const changing = allEndpoints.filter(({ method, access }) => method !== 'GET' && access.who !== 'anyone');

  test('exactly the calls whose effect is on what the registry is trusted with ask for another one', async () => {
    expect(await walk(changing, '{}')).toEqual(changing.filter(isOfRegistry).map(({ id }) => id));
  });

  test('a rehearsal asks for none', async () => {
    const rehearsing = changing.filter(takesDryRun);
    expect(rehearsing.map(({ id }) => id)).toContain('whois.uploadText');
    expect(await walk(rehearsing, '{"dryRun":true}')).toEqual([]);
    expect(await walk(rehearsing, '{"dryRun":"true"}')).toEqual(rehearsing.filter(isOfRegistry).map(({ id }) => id));
  });

  test('a transfer, a reverse zone, a route object, a proxy and a vote are among them', () => {
    const named = [
      api.requests.submitRequest,
      api.requests.acknowledgeTransfer,
      api.requests.confirmOneClick,
      api.reverseDns.submitZones,
      api.whois.submitUpdates,
      api.whois.uploadText,
      api.whois.bulkChange,
      api.proxies.appointProxy,
      api.ballots.openBallot,
      api.ballots.openAttendeeBallot,
    ];
    expect(named.map(isOfRegistry)).toEqual(named.map(() => true));
  });
});

describe.each(effectKeys)('a call with the effect %s', effect => {
  const call = async (): Promise<string | null> =>
    codeOf(`/api/${account}/trials/${nameOf(effect)}`, 'POST', await portal.tokenOf('corin'));

  test('is announced to the people responsible for the account if the table says so', async () => {
    const { admission } = portal.app;
    const notify: Admission['notifyAboutChange'] = admission.notifyAboutChange.bind(admission);
    const told: string[] = [];
    admission.notifyAboutChange = async (_change, { accountName }) => void told.push(accountName);
    try {
      expect(await call()).toBeNull();
    } finally {
      admission.notifyAboutChange = notify;
    }
    expect(told).toEqual(effects[effect].notice ? [account] : []);
  });

  test('waits for a second contact where the account has that rule, if the table says so', async () => {
    const { admission } = portal.app;
    const hasTwoPersonRule: Admission['hasTwoPersonRule'] = admission.hasTwoPersonRule.bind(admission);
    admission.hasTwoPersonRule = async () => true;
    try {
      const code = await call();
      if (effects[effect].secondPerson) expect(['SECOND_PERSON', 'NO_SECOND_PERSON']).toContain(code);
      else expect(code).toBeNull();
    } finally {
      admission.hasTwoPersonRule = hasTwoPersonRule;
    }
  });
});

test('corporate contacts get the link that freezes a login when it changes a route object', async () => {
  const tess = await portal.as('tess');
  const letters = async (): Promise<string[]> =>
    (await portal.mailsTo('corin@example-au.example'))
      .filter(({ subject }) => subject.includes('changed something in'))
      .map(({ body }) => body);
  const route = { class: 'route', key: '198.18.0.0/19AS64500' } as const;
  const { text } = (await tess(api.whois.getObject, { account, query: route })).data!;
  const update = { text: `${text.trimEnd()}\nremarks: Changed\n` };
  // A rehearsal changes nothing, and is told to no one.
  await tess(api.whois.previewUpdates, { account, body: { updates: [update] } });
  expect(await letters()).toEqual([]);
  expect((await tess(api.whois.submitUpdates, { account, body: { updates: [update] } })).data!.outcomes[0]).toMatchObject({ state: 'ok' });
  expect(await letters()).toEqual([expect.stringContaining('Changed whois objects')]);
  // The link is made when the letter is written, one for each change and login.
  const links = await portal.db.read
    .selectFrom('freezeLink')
    .innerJoin('activity', 'activity.activityId', 'freezeLink.activityId')
    .select('action')
    .execute();
  expect([...new Set(links.map(({ action }) => action))].toSorted()).toEqual(['whois.submitUpdates']);
});
