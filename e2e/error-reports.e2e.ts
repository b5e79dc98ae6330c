import type { Frame, Page } from '@playwright/test';
import { arriveAs, greeting } from './people.ts';
import { expect, expectDrawn, test } from './portal-test.ts';
import { reportsAddress } from './programs.ts';

test.use({ program: 'reports its errors' });

/** Pages with forms, in the portal and in its frame. */
const addresses = [
  '/settings',
  '/member-account-settings/contact-details',
  '/member-account-settings/organization-details',
  '/member-account-settings/account-contacts',
  '/member-account-settings/referral-application',
  '/link-existing-membership',
  '/add-account',
  '/voting',
  '/resources/whois-text-upload',
  '/resources/bulk-whois-updates',
  '/resources/add-irt',
  '/resources/maintainer',
  '/resources/customers/customer_management',
];

/** Types a secret into every field that takes text. What is searched for is no secret: it stands in the address. */
async function plantIn(frame: Frame, secretOf: () => string): Promise<number> {
  let planted = 0;
  for (const field of await frame
    .locator('input:not([type]), input[type=text], input[type=email], input[type=password], input[type=tel], textarea')
    .all()) {
    const takes =
      (await field.isEditable()) &&
      (await field.isVisible()) &&
      (await field.evaluate(
        element =>
          element.closest('[role=search]') === null &&
          element.getAttribute('type') !== 'search' &&
          element.getAttribute('role') !== 'combobox' &&
          !/search|find|filter/i.test(
            `${element.getAttribute('aria-label')} ${element.getAttribute('placeholder')} ${element.getAttribute('name')}`,
          ),
      ));
    if (!takes) continue;
    await field.fill(secretOf()).then(
      () => planted++,
      () => {},
    );
  }
  return planted;
}

/** Makes the page fail: an error that nothing catches is reported with what the person did before. */
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
  test.setTimeout(400_000);
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
  for (const address of addresses) {
    await page.goto(address);
    await expect(greeting(page)).toBeVisible();
    await expectDrawn(page);
    for (const frame of page.frames())
      planted += await plantIn(frame, () => {
        const secret = `planted${++last}secret`;
        secrets.add(secret);
        return secret;
      });
    const before = sent.length;
    await breakIn(page, `a planted defect on ${address}`);
    await expect.poll(() => sent.slice(before).some(body => body.includes('a planted defect')), { timeout: 20_000 }).toBe(true);
  }
  expect(planted, 'fields with a secret').toBeGreaterThan(10);
  expect(secrets.size).toBeGreaterThan(planted + 2);
  for (const kind of [/"type":"event"/, /"type":"(transaction|span)"/, /"type":"replay_recording"/])
    await expect.poll(() => sent.some(body => kind.test(body)), { message: String(kind), timeout: 20_000 }).toBe(true);
  const whole = sent.join('\n');
  const found = [...secrets].filter(secret => whole.includes(secret));
  expect(found.map(secret => whole.slice(Math.max(0, whole.indexOf(secret) - 120), whole.indexOf(secret) + 40))).toEqual([]);
});
