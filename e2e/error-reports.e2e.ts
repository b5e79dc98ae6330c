import type { Frame, Page } from '@playwright/test';
import { pagePath, sitePages } from '@portal/contract/pages';
import { arriveAs, framed, goInside, greeting } from './people.ts';
import { expect, expectDrawn, test } from './portal-test.ts';
import { reportsAddress } from './programs.ts';

test.use({ program: 'reports its errors' });

/** Every page that a corporate contact can open without a parameter, in the portal and in its frame; no title is expected of the others. */
const visits: { address: string; inFrame?: boolean; title?: string }[] = [
  ...sitePages
    .filter(({ name, app, path, access, redirectTo }) => {
      const opens = (app === 'portal' || app === 'resource-manager') && access.who !== 'staff' && !redirectTo;
      return opens && !path.includes('{accountName}') && !['authCallback', 'logout', 'notFound'].includes(name);
    })
    .map(({ name, app, path, title }) => ({
      address: pagePath(path, 'Registry').replace(/\{(\w+)\}/g, '1'),
      inFrame: app === 'resource-manager',
      ...(name !== 'home' && !path.includes('{') && { title }),
    })),
  { address: '/contact/helpdesk?new=1' },
];

/** Types a secret into every field that takes text, those of searches too. */
async function plantIn(frame: Frame, secretOf: () => string): Promise<number> {
  let planted = 0;
  for (const field of await frame
    .locator('input:not([type]), input[type=text], input[type=search], input[type=email], input[type=password], input[type=tel], textarea')
    .all()) {
    // Earlier input may have re-rendered the page.
    const takes = await Promise.all([field.isEditable({ timeout: 2000 }), field.isVisible()]).then(
      both => both.every(Boolean),
      () => false,
    );
    if (!takes) continue;
    await field.fill(secretOf(), { timeout: 5000 }).then(
      () => planted++,
      () => {},
    );
  }
  return planted;
}

/** Makes the page fail: an uncaught error is reported with the person's previous actions. */
const breakIn = (page: Page, sentence: string) =>
  page.evaluate(text => {
    setTimeout(() => {
      throw new Error(text);
    });
  }, sentence);

test('with error reporting on, nothing typed, no token and no code of a sign-in leaves the browser in a report', async ({
  page,
  context,
  watch,
}) => {
  test.setTimeout(900_000);
  watch.expect(/Request to another host: /);
  watch.expect(/a planted defect/);
  watch.expect(/status of 4\d\d/);
  // Every report is in the sample.
  await context.addInitScript({ content: 'Math.random = () => 0.000001' });
  const sent: string[] = [];
  await context.route(`${reportsAddress}/**`, async route => {
    sent.push(`${route.request().url()}\n${route.request().postDataBuffer()?.toString() ?? ''}`);
    await route.fulfill({ status: 200, contentType: 'application/json', headers: { 'access-control-allow-origin': '*' }, body: '{}' });
  });
  const secrets = new Set(['demo-registry-corin']);
  context.on('request', request => {
    const url = new URL(request.url());
    for (const name of ['code', 'state', 'session_state', 'id_token_hint']) {
      const value = url.searchParams.get(name);
      if (value !== null && value.length >= 8) secrets.add(value);
    }
    const bearer = /^Bearer (.+)$/.exec(request.headers()['authorization'] ?? '')?.[1];
    // The signature alone opens nothing; the whole token contains it.
    if (bearer) secrets.add(bearer.split('.').at(-1)!);
  });

  await arriveAs(page, 'corin');
  let planted = 0;
  let last = 0;
  let loads = true;
  for (const [place, { address, inFrame, title }] of visits.entries()) {
    if (loads || title === undefined) await page.goto(address);
    else {
      await goInside(page, address);
      await expect(page).toHaveTitle(new RegExp(`^${title}`));
      const view = inFrame ? framed(page) : page;
      await expect(view.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(view.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    }
    loads = false;
    await expect(greeting(page)).toBeVisible();
    await expectDrawn(page);
    for (const frame of page.frames())
      planted += await plantIn(frame, () => {
        const secret = `planted${++last}secret`;
        secrets.add(secret);
        return secret;
      });
    // Reports are sent with a delay: some pages fail, with the actions since the last page load.
    if (place % 6 > 0) continue;
    loads = true;
    const before = sent.length;
    await breakIn(page, `a planted defect on ${address}`);
    await expect.poll(() => sent.slice(before).some(body => body.includes('a planted defect')), { timeout: 20_000 }).toBe(true);
  }
  expect(planted, 'fields with a secret').toBeGreaterThan(60);
  expect(secrets.size).toBeGreaterThan(planted + 2);
  for (const kind of [/"type":"event"/, /"type":"(transaction|span)"/, /"type":"replay_recording"/])
    await expect.poll(() => sent.some(body => kind.test(body)), { message: String(kind), timeout: 20_000 }).toBe(true);
  const whole = sent.join('\n');
  const found = [...secrets].filter(secret => whole.includes(secret));
  expect(found.map(secret => whole.slice(Math.max(0, whole.indexOf(secret) - 120), whole.indexOf(secret) + 40))).toEqual([]);
});
