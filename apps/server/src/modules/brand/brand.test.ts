import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { api } from '@portal/contract/api';
import type { BrandProposal } from '@portal/contract/brand/brand';
import { surfaces, usualAccent } from '@portal/contract/brand/brand-colours';
import { type BrandValueName, brandPreviewCookie, brandPreviewMinutes } from '@portal/contract/brand/brand-values';
import { DAY_MS, dayIn, daysAfter, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { smallestWebBuild } from '../../../test/processes/smallest-web-build.ts';
import { openApp } from '../../app.ts';
import { datedProfile, hearSoon, readPolicy } from '../../dated-profile.ts';
import { readProfile } from '../../profile.ts';
import { brandInvariants } from './invariants.ts';
import { previewCode, readPreviewCode } from './preview.ts';

const example = readProfile('');

/** A registry whose clock can be set. */
async function registry() {
  const clock = { ahead: 0 };
  const portal = await testPortal(undefined, {}, () => new Date(Date.now() + clock.ahead));
  return Object.assign(portal, { clock, today: () => dayIn(example.timeZone, new Date(Date.now() + clock.ahead)) });
}
type Registry = Awaited<ReturnType<typeof registry>>;

const proposal = (values: Partial<Record<BrandValueName, string>>, more: Partial<BrandProposal> = {}): BrandProposal => ({
  validFrom: null,
  values: Object.entries(values).map(([name, value]) => ({ name: name as BrandValueName, value })),
  reason: 'The board decided on it',
  ...more,
});

async function approve(as: Awaited<ReturnType<TestPortal['as']>>, link: string): Promise<void> {
  const { waiting } = (await as(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(each => each.link === link)!;
  const approved = await as(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  expect(approved.errors ?? []).toEqual([]);
}

/** Stella prepares and proposes a change, and Stan confirms it. */
async function confirmed(portal: Registry, body: BrandProposal): Promise<string> {
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const { changeId } = (await stella(api.brand.prepareBrandChange, { body })).data!;
  expect(await stella(api.brand.confirmBrandChange, { changeId })).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }] });
  await approve(stan, `/desk/brand?change=${changeId}`);
  return changeId;
}

const get = (portal: Registry, url: string, cookie = '') =>
  portal.app.http.inject({ url, headers: { host: new URL(portal.context.config.appUrl).host, cookie } });
const violations = async ({ db, context }: TestPortal) =>
  (
    await Promise.all(
      brandInvariants.map(({ check }) =>
        check({
          read: db.read,
          accounts: null,
          profile: context.profile,
          secrets: context.config,
          modules: context.modules,
          now: new Date(),
        }),
      ),
    )
  ).flat();

test('two people change names and colours, and every page has them immediately', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const before = await get(portal, '/accessibility');
  expect(before.body).not.toContain('<style>');
  const changeId = await confirmed(
    portal,
    proposal({
      registryName: 'Island & Sea NIC',
      portalName: 'Island Portal',
      accentLight: '#0B5CAD',
      legalUrl: 'https://nic.example/legal',
    }),
  );
  const { data } = await stella(api.brand.getBrand, {});
  const valueOf = (name: BrandValueName) => data!.values.find(each => each.name === name)!;
  expect(valueOf('accentLight')).toMatchObject({ value: '#0b5cad', since: { changeId }, fixed: false, inFile: '' });
  expect(data!.changes[0]).toMatchObject({
    state: 'in-force',
    proposedBy: expect.stringContaining('Stella'),
    confirmedBy: expect.stringContaining('Stan'),
  });

  const env = (await get(portal, '/env.json')).json<Record<string, string>>();
  expect(env).toMatchObject({ registryName: 'Island & Sea NIC', portalName: 'Island Portal', product: example.product });
  const page = await get(portal, '/accessibility');
  expect(page.body).toContain('<title>Accessibility · Island &amp; Sea NIC</title>');
  expect(page.body).toContain('use Island Portal');
  expect(page.body).toContain('<a href="https://nic.example/legal">Legal notice</a>');
  const style = /<style>(html:root\{--accent:light-dark\(#0b5cad,[^<]+)<\/style>/.exec(page.body)![1]!;
  // The policy of the page allows this one rule.
  expect(page.headers['content-security-policy']).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const signIn = await get(portal, '/account/reset');
  expect(signIn.body).toContain(style);
  expect(signIn.body).toContain('Choose a new password · Island Portal');
  expect(before.headers['etag']).not.toBe(page.headers['etag']);
  expect((await get(portal, '/theme.json')).json<{ footerAsideLinks: unknown[] }>().footerAsideLinks).toContainEqual({
    label_en_us: 'Legal notice',
    link: 'https://nic.example/legal',
  });
  expect(await violations(portal)).toEqual([]);
});

test('a change on a day is in force from the first instant of that day, in every process, and is withdrawn before by two people', async () => {
  await using portal = await registry();
  const validFrom = daysAfter(portal.today(), 3);
  await confirmed(portal, proposal({ registryName: 'Later NIC' }, { validFrom }));
  const withdrawn = await confirmed(portal, proposal({ supportPhone: '+61 7 3858 3100' }, { validFrom }));
  const other = datedProfile(example, { db: portal.db, clock: () => new Date(Date.now() + portal.clock.ahead) });
  await readPolicy(other);
  expect([portal.context.profile.registryName, other.registryName]).toEqual([example.registryName, example.registryName]);
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  expect(await stan(api.brand.withdrawBrandChange, { changeId: withdrawn })).toMatchObject({ errors: [{ code: 'SECOND_PERSON' }] });
  await approve(stella, `/desk/brand?change=${withdrawn}`);
  portal.clock.ahead = 4 * DAY_MS;
  expect([portal.context.profile.registryName, other.registryName]).toEqual(['Later NIC', 'Later NIC']);
  await readPolicy(portal.context.profile);
  expect(portal.context.profile.supportPhone).toBe('');
  const later = await portal.as('stella');
  expect((await later(api.brand.withdrawBrandChange, { changeId: withdrawn })).errors).toMatchObject([{ code: 'BRAND_ENDED' }]);
  expect(await violations(portal)).toEqual([]);
});

test('a colour that can’t be read is refused with the nearest one that can', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const refused = await stella(api.brand.prepareBrandChange, { body: proposal({ accentLight: '#ffd700' }) });
  expect(refused.status).toBe(400);
  const { message } = refused.errors![0]!;
  expect(message).toMatch(
    /has a contrast of 1\.\d\d:1 in the light theme, and needs 4\.5:1\. The nearest colour that passes is #[\da-f]{6}/,
  );
  const nearest = /passes is (#[\da-f]{6})/.exec(message)![1]!;
  expect((await stella(api.brand.prepareBrandChange, { body: proposal({ accentLight: nearest }) })).status).toBe(200);
});

test.each([
  [{ accentDark: 'red;}body{display:none' }, 'Enter a colour'],
  [{ registryName: '' }, 'Registry name: enter a text of one line'],
  [{ registryName: 'N'.repeat(101) }, 'Registry name: use at most 100 characters'],
  [{ portalName: 'P'.repeat(31) }, 'Portal name: use at most 30 characters'],
  [{ portalName: 'My\u200bRegistry' }, 'Portal name: enter a text of one line'],
  [{ registryName: 'NIC \u202egnp.exe' }, 'Enter one line, without control characters'],
  [{ whoisTermsUrl: 'https://nic.example@evil.example/' }, 'Terms of use: enter an address'],
  [{ helpUrl: 'https://nic.example/a b' }, 'Help: enter an address that begins with https://'],
  [{ legalUrl: 'https://nic.example/\u00adterms' }, 'Legal notice: enter an address that begins with https://'],
  [{ legalUrl: 'https://nic.example/"onload="' }, 'Legal notice: enter an address that begins with https://'],
  [{ privacyUrl: 'javascript:alert(1)' }, 'Privacy policy: enter an address that begins with https://'],
  [{ helpUrl: 'http://nic.example/' }, 'Help: enter an address that begins with https://'],
  [{ whoisTermsUrl: 'data:text/html,x' }, 'Terms of use: enter an address'],
  [{ supportEmail: 'a b@c' }, 'Support e-mail: enter an e-mail address'],
  [{ supportPhone: 'call us' }, 'Support telephone: enter a telephone number'],
] as const)('%j is refused with what would be right', async (values, words) => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const refused = await stella(api.brand.prepareBrandChange, { body: proposal(values) });
  expect(refused.status).toBe(400);
  expect(refused.errors![0]!.message).toContain(words);
});

test('a day that has begun, what is so already, and what is over can’t be changed', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const codeOf = async (body: BrandProposal) => (await stella(api.brand.prepareBrandChange, { body })).errors![0]!.code;
  expect(await codeOf(proposal({ registryName: 'New' }, { validFrom: portal.today() }))).toBe('BRAND_DAY');
  expect(await codeOf(proposal({ registryName: 'New' }, { validFrom: daysAfter(portal.today(), 1000) }))).toBe('BRAND_DAY');
  expect(await codeOf(proposal({ registryName: example.registryName }))).toBe('NOTHING_TO_DO');
  const { changeId } = (await stella(api.brand.prepareBrandChange, { body: proposal({ registryName: 'New' }) })).data!;
  expect((await stella(api.brand.withdrawBrandChange, { changeId })).errors).toMatchObject([{ code: 'BRAND_ENDED' }]);
  await stella(api.brand.discardBrandChange, { changeId });
  expect((await stella(api.brand.confirmBrandChange, { changeId })).errors).toMatchObject([{ code: 'BRAND_ENDED' }]);
  expect((await stella(api.brand.discardBrandChange, { changeId: '99999' })).status).toBe(404);
});

test('what the profile file fixes can’t be changed, and a change from before has no effect', async () => {
  await using portal = await registry();
  await confirmed(portal, proposal({ registryName: 'New NIC' }));
  const fixed = datedProfile({ ...example, fixed: ['registryName'] }, { db: portal.db, clock: () => new Date() });
  await readPolicy(fixed);
  expect(fixed.registryName).toBe(example.registryName);
  portal.context.profile.fixed.push('portalName');
  try {
    const stella = await portal.as('stella');
    const refused = await stella(api.brand.prepareBrandChange, { body: proposal({ portalName: 'Other' }) });
    expect(refused.errors).toMatchObject([{ code: 'BRAND_FIXED', message: '“Portal name” can’t be changed here: fixed by the profile' }]);
    expect((await stella(api.brand.getBrand, {})).data!.values.find(({ name }) => name === 'portalName')!.fixed).toBe(true);
  } finally {
    portal.context.profile.fixed.length = 0;
  }
});

test('a change that was prepared with another value before is prepared again, and an earlier version comes back as a change', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const { changeId } = (await stella(api.brand.prepareBrandChange, { body: proposal({ registryName: 'Second' }) })).data!;
  const first = await confirmed(portal, proposal({ registryName: 'First', supportPhone: '+61 7 3858 3100' }));
  expect((await stella(api.brand.confirmBrandChange, { changeId })).errors).toMatchObject([{ code: 'BRAND_MOVED' }]);
  await confirmed(portal, proposal({ registryName: 'Second' }));
  const version = (await stella(api.brand.getBrand, {})).data!.changes.find(each => each.changeId === first)!.version!;
  expect(version).toContainEqual({ name: 'registryName', value: 'First' });
  expect(version).toContainEqual({ name: 'supportPhone', value: '+61 7 3858 3100' });
  await confirmed(portal, proposal(Object.fromEntries(version.map(({ name, value }) => [name, value]))));
  expect((await get(portal, '/env.json')).json()).toMatchObject({ registryName: 'First' });
});

test('a prepared change is previewed on pages in the browser that asked for it, and nowhere else', async () => {
  await using portal = await registry();
  const stella = await portal.as('stella');
  const { changeId, preview } = (
    await stella(api.brand.prepareBrandChange, { body: proposal({ registryName: 'Shown NIC', accentDark: '#7db8ff' }) })
  ).data!;
  const cookie = `${brandPreviewCookie}=${preview!}`;
  const shown = await get(portal, '/accessibility', cookie);
  expect(shown.body).toContain('Shown NIC');
  expect(shown.body).toContain('#7db8ff');
  expect(shown.headers['cache-control']).toBe('no-store');
  expect(shown.headers['content-security-policy']).toMatch(/style-src [^;]*'sha256-/);
  expect((await get(portal, '/accessibility')).body).not.toContain('Shown NIC');
  // Calls never see it: what they write and send is in force.
  expect((await get(portal, '/api/feature-flags', cookie)).statusCode).toBe(200);
  const mail = (await stella(api.brand.previewBrandMail, { changeId })).data!;
  expect(mail.text).toContain('Shown NIC');
  for (const other of [`${brandPreviewCookie}=${changeId}.99999999999999.x`, `${brandPreviewCookie}=`, `${cookie}x`])
    expect((await get(portal, '/accessibility', other)).body).not.toContain('Shown NIC');
  portal.clock.ahead = (brandPreviewMinutes + 1) * MINUTE_MS;
  expect((await get(portal, '/accessibility', cookie)).body).not.toContain('Shown NIC');
  portal.clock.ahead = 0;
  await stella(api.brand.discardBrandChange, { changeId });
  expect((await get(portal, '/accessibility', cookie)).body).not.toContain('Shown NIC');
});

/** Addresses that name the registry or the portal, and answer without a session. */
const naming = [
  '/',
  '/?guest',
  '/desk',
  '/nowhere',
  '/whois',
  '/numbers',
  '/status',
  '/help',
  '/help/sign-in',
  '/accessibility',
  '/privacy',
  '/log',
  '/legal',
  '/account/reset',
  '/account/register',
  '/sign-in',
  '/certificates',
  '/checklists',
  '/irt-validation',
  '/elections',
  '/ballots',
  '/feeds/announcements.atom',
  '/feeds/announcements.json',
  '/status/feed.atom',
  '/registry-api/docs',
  '/theme.json',
  '/env.json',
  '/api/openapi.json',
  '/rdap/help',
  '/rpki/registry.tal',
  '/.well-known/security.txt',
];

/** The registry with built pages: in the process that changes it, or in one of its own. */
async function withPages(portal: Registry, context = portal.context) {
  const app = await openApp(context, { webFolder: await smallestWebBuild() });
  return {
    look: (url: string, cookie = '') =>
      app.http.inject({
        url,
        headers: { host: new URL(portal.context.config.appUrl).host, cookie, 'sec-fetch-dest': 'document' },
      }),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test('names stay text on every page, file and feed', async () => {
  await using portal = await registry();
  await using pages = await withPages(portal);
  const [registryName, portalName] = ['A<i>nic</i> & "B", <x@evil.example>', `</title><b>P</b> & "'`];
  await confirmed(portal, proposal({ registryName, portalName }));
  const named: string[] = [];
  for (const url of naming) {
    const { body, statusCode, headers } = await pages.look(url);
    expect(statusCode, url).toBeLessThan(500);
    if (String(headers['content-type']).includes('json')) expect(() => JSON.parse(body) as unknown, url).not.toThrow();
    else if (!String(headers['content-type']).startsWith('text/plain')) expect(body, url).not.toMatch(/<i>nic|<\/title><b>P|<x@evil/);
    if (/A(?:&lt;|<|\\u003c)i(?:&gt;|>)nic|title(?:&gt;|>)(?:&lt;|<|\\u003c)b(?:&gt;|>)P/.test(body)) named.push(url);
  }
  // The test sees the pages that it is about.
  expect(named).toEqual(
    expect.arrayContaining(['/', '/?guest', '/desk', '/whois', '/account/reset', '/privacy', '/feeds/announcements.atom']),
  );
});

test.each(['/', '/desk', '/accessibility', '/account/reset'])(
  'the first answer of a process that has just started, %s, has the brand in force',
  async url => {
    await using portal = await registry();
    await confirmed(portal, proposal({ registryName: 'New NIC', portalName: 'New Portal', accentLight: '#0b5cad' }));
    const { db, config } = portal.context;
    await using pages = await withPages(portal, { ...portal.context, ...testContext({ db, config }) });
    const { body, headers } = await pages.look(url);
    expect(body).toMatch(/New (NIC|Portal)/);
    const rule = /<style>(html:root[^<]+)<\/style>/.exec(body)![1]!;
    expect(headers['content-security-policy']).toContain(createHash('sha256').update(rule).digest('base64'));
  },
);

test('what one browser previews is kept for no other, on any page', async () => {
  await using portal = await registry();
  await using pages = await withPages(portal);
  const stella = await portal.as('stella');
  // An address alone is on none of the forms: they differ only in what they begin with.
  const { preview } = (
    await stella(api.brand.prepareBrandChange, {
      body: proposal({ registryName: 'Shown NIC', portalName: 'Shown Portal', supportEmail: 'shown@nic.example' }),
    })
  ).data!;
  const links = (await stella(api.brand.prepareBrandChange, { body: proposal({ supportEmail: 'shown@nic.example' }) })).data!;
  for (const code of [links.preview!, preview!])
    for (const url of naming) {
      await pages.look(url, `${brandPreviewCookie}=${code}`);
      expect((await pages.look(url)).body, url).not.toMatch(/shown@|Shown NIC|Shown Portal/);
    }
  expect((await pages.look('/', `${brandPreviewCookie}=${links.preview!}`)).body).toContain('shown@nic.example');
  expect((await pages.look('/', `${brandPreviewCookie}=${preview!}`)).body).toContain('Shown Portal');
});

test('the code of a preview is for one change and a quarter of an hour', () => {
  const secrets = { secretKey: 'a'.repeat(32), secretKeyOld: '' };
  const now = new Date('2026-11-29T10:00:00Z');
  const code = previewCode(secrets, '7', now);
  expect(readPreviewCode(secrets, code, now)).toBe('7');
  expect(readPreviewCode(secrets, code.replace('7', '8'), now)).toBeNull();
  expect(readPreviewCode(secrets, code, new Date(now.getTime() + brandPreviewMinutes * MINUTE_MS))).toBeNull();
  expect(readPreviewCode({ secretKey: 'b'.repeat(32), secretKeyOld: '' }, code, now)).toBeNull();
});

test('an auditor reads the brand and changes nothing, and others don’t learn that there is one', async () => {
  await using portal = await registry();
  const audra = await portal.as('audra');
  expect((await audra(api.brand.getBrand, {})).status).toBe(200);
  expect((await audra(api.brand.prepareBrandChange, { body: proposal({ registryName: 'New' }) })).status).toBe(403);
  const corin = await portal.as('corin');
  expect((await corin(api.brand.getBrand, {})).status).toBe(404);
});

test('a confirmed change stays as it was in the database', async () => {
  await using portal = await registry();
  const changeId = await confirmed(portal, proposal({ registryName: 'New' }));
  const rewrite = (set: string) =>
    portal.db.change({ action: 'test.rewrite', summary: 'Rewrote it', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update brand_change set ${sql.raw(set)} where brand_change_id = ${Number(changeId)}`),
    );
  await expect(rewrite(`changed = '{"registryName":{"before":"","after":"Evil"}}'`)).rejects.toThrow('never another one');
  await expect(rewrite('confirmed_by = prepared_by')).rejects.toThrow('stays as it was');
  await expect(
    portal.db.change({ action: 'test.rewrite', summary: 'Deleted it', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`delete from brand_change`),
    ),
  ).rejects.toThrow('stays in its history');
});

test('the surfaces of the contrast are those of the design', () => {
  const css = fs.readFileSync(new URL('../../../../../packages/ui/src/tokens.css', import.meta.url), 'utf8');
  const token = (name: string) => new RegExp(`--${name}: light-dark\\((#[\\da-f]{6}), (#[\\da-f]{6})\\)`).exec(css)!.slice(1, 3);
  const both = (name: 'page' | 'sheet' | 'sunken' | 'hover') => [surfaces.light[name], surfaces.dark[name]];
  expect([both('page'), both('sheet'), both('sunken'), both('hover')]).toEqual(['ground', 'surface', 'sunken', 'hover'].map(token));
  expect([usualAccent.light, usualAccent.dark]).toEqual(token('accent'));
});

test('the process that confirmed waits for its change also where the commit takes long, and an older read takes nothing back', async () => {
  let machine = 1000;
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => machine);
  try {
    const began = Date.now();
    const answers: ((rows: object[]) => void)[] = [];
    const rows = () => new Promise<never[]>(resolve => answers.push(rows => resolve(rows as never[])));
    const profile = datedProfile({ ...example }, { db: { read: { rows } as never }, clock: () => new Date(began + machine) });
    const first = readPolicy(profile);
    answers[0]!([]);
    await first;
    hearSoon(profile);
    machine += 20_000;
    const early = readPolicy(profile);
    answers[1]!([]);
    await early;
    const [slow, later] = [readPolicy(profile), readPolicy(profile)];
    answers[3]!([{ name: 'registryName', value: 'New', before: example.registryName, beginsAt: new Date(began).toISOString() }]);
    await later;
    answers[2]!([]);
    await slow;
    expect(profile.registryName).toBe('New');
    machine += 10_000;
    expect(readPolicy(profile)).toBeNull();
  } finally {
    watch.mockRestore();
  }
});
