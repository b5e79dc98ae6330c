import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { arriveAs, enterCode, forget, framed, greeting } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

/** Goes through the pages that set up an authenticator app, from the question whether to do it now. */
async function enrol(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Set it up now' }).click();
  const password = page.getByLabel('Password');
  const app = page.getByRole('link', { name: 'Authenticator app' });
  await expect(password.or(app)).toBeVisible();
  if (await password.isVisible()) {
    await password.fill(`demo-registry-${name}`);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  await app.click();
  const secret = (await page.locator('.key').textContent())!.replaceAll(' ', '');
  await page.getByLabel('Code the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page
    .getByRole('button', { name: /Add|Continue|Turn on/ })
    .first()
    .click();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const person = (maintainer: string): string => `person: Typed Before
address: Level 3
country: AU
phone: +61 7 5550 0142
e-mail: typed@example.net
nic-hdl: AUTO-1
mnt-by: ${maintainer}
source: EXAMPLE
`;

// A second program, if sign-in asks only for the password.
test.use({ program: 'short tokens' });
test.beforeEach(() => forget('stella'));
test.afterEach(() => forget('stella'));

test('an action that needs a second factor asks for it alone, and continues where the person was', async ({ page, watch }) => {
  watch.expect(/status of 401 .*\/api\/staff\/(holders|requests)/);
  const asked = '/desk/accounts?q=198.18.0.1';
  await page.goto(asked);
  await page.getByLabel('User name or e-mail').fill('stella');
  await page.getByLabel('Password').fill('demo-registry-stella');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();

  await expect(page.getByLabel('One-time code')).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveCount(0);
  await expectAccessible(page);
  await enterCode(page, 'stella');

  await expect(page).toHaveURL(asked);
  await expect(page.getByText('EXAMPLE-AU').first()).toBeVisible();
  await expect(greeting(page)).toBeVisible();
});

test('a person without a second factor adds one where it is missed, and returns to the same page', async ({ page }) => {
  test.slow();
  forget('max');
  const contacts = '/member-account-settings/account-contacts';
  await arriveAs(page, 'max', contacts);
  const invite = page.getByRole('button', { name: 'Invite a contact' });
  await expect(invite).toHaveAttribute('aria-disabled', 'true');
  await invite.hover();
  await page.getByRole('button', { name: 'Add a second factor' }).first().click();
  await enrol(page, 'max');
  await expect(page).toHaveURL(contacts);
  await expect(invite).not.toHaveAttribute('aria-disabled', 'true');
  await invite.click();
  await expect(page.getByLabel('Full name')).toBeVisible();
  forget('max');
});

/** Notes each call of this kind that leaves a page. */
function countCalls(page: Page, address: RegExp): string[] {
  const sent: string[] = [];
  page.on('request', request => {
    if (request.method() === 'POST' && address.test(request.url())) sent.push(request.url());
  });
  return sent;
}

/** The person’s second factor is too old for the next call of this kind. */
const refuseOnce = (page: Page, address: RegExp) =>
  page.route(
    address,
    route =>
      route.fulfill({
        status: 401,
        headers: {
          'www-authenticate': 'Bearer error="insufficient_user_authentication", acr_values="urn:myregistry:acr:mfa", max_age="0"',
        },
        json: { errors: [{ code: 'MFA_TOO_OLD', message: 'Too old', traceId: '0' }] },
      }),
    { times: 1 },
  );

test('an approval that was given up at the sign-in page is never made later, nor that of another request', async ({ page, watch }) => {
  test.slow();
  watch.expect(/status of 401/);
  const approve = /\/api\/staff\/resource-requests\/\d+\/approve/;
  const sent = countCalls(page, approve);
  const signIn = async () => {
    await page.getByLabel('Password').fill('demo-registry-stella');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await enterCode(page, 'stella');
  };
  const press = async () => {
    await refuseOnce(page, approve);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
  };
  const one = '/desk/requests?request=resources-1';
  await page.goto(one);
  await page.getByLabel('User name or e-mail').fill('stella');
  await signIn();
  await press();

  // Given up: the person goes elsewhere, then opens another request and the same one.
  await page.goto('/desk/tickets');
  await expect(greeting(page)).toBeVisible();
  for (const address of ['/desk/requests?request=resources-2', one]) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  }
  expect(sent).toHaveLength(1);

  // Only the return of its own redirect asks about it, and only the press makes it.
  await press();
  await signIn();
  await expect(page).toHaveURL(one);
  const question = page.getByRole('alertdialog', { name: 'Approve REQ-1?' });
  await expect(question).toContainText('is delegated to CORAL-KI');
  await expect(question).toContainText('Nothing has been sent yet.');
  await expectAccessible(page);
  expect(sent).toHaveLength(2);
  await question.getByRole('button', { name: 'Approve REQ-1' }).click();
  await expect(page.getByText('Approved. The member gets an e-mail.')).toBeVisible();
  expect(sent).toHaveLength(3);

  // The panel of another request shows that request.
  await page.goto('/desk/requests?request=resources-2');
  await expect(page.getByText('DELTA-VN').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
});

test('a route whose second factor was given up is not published by the next visit of its form', async ({ page, watch }) => {
  test.slow();
  watch.expect(/status of 401/);
  forget('corin');
  const save = /\/api\/EXAMPLE-AU\/routes$/;
  const sent = countCalls(page, save);
  const form = '/resources/routes/index?add=yes&prefix=198.18.66.0/24&asn=AS64500';
  const signIn = async () => {
    await page.getByLabel('Password').fill('demo-registry-corin');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await enterCode(page, 'corin');
  };
  await page.goto(form);
  await page.getByLabel('User name or e-mail').fill('corin');
  await signIn();
  const frame = framed(page);
  const press = async () => {
    await refuseOnce(page, save);
    await frame.getByRole('button', { name: 'Review' }).click();
    await frame.getByRole('button', { name: 'Save 1 route' }).click();
    await expect(page.getByLabel('Password')).toBeVisible();
  };
  await press();
  await page.goto('/');
  await expect(greeting(page)).toBeVisible();
  await page.goto(form);
  await expect(frame.getByRole('button', { name: 'Review' })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(frame.getByRole('alertdialog')).toHaveCount(0);
  expect(sent).toHaveLength(1);

  await press();
  await signIn();
  await expect(page).toHaveURL(form);
  const question = frame.getByRole('alertdialog', { name: 'Save routes?' });
  await expect(question).toContainText('Add 198.18.66.0/24 AS64500');
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(question).toHaveCount(0);
  await page.reload();
  await expect(frame.getByRole('button', { name: 'Review' })).toBeVisible();
  await expect(frame.getByRole('alertdialog')).toHaveCount(0);
  expect(sent).toHaveLength(2);
  forget('corin');
});

test('a text that needs a second factor is refused in place, a factor is added from there, and the text is still there to be saved', async ({
  page,
  watch,
}) => {
  test.slow();
  watch.expect(/status of 401 .*\/whois\/uploads/);
  forget('olive');
  await arriveAs(page, 'olive', '/resources/whois-text-upload');
  const frame = framed(page);
  const text = frame.getByRole('textbox', { name: 'Text of the objects' });
  await text.fill(`mntner: MAINT-SG-TYPED
descr: Typed before
admin-c: AUTO-1
upd-to: noc@other-sg.example
auth: PORTAL
mnt-by: MAINT-SG-TYPED
source: EXAMPLE

${person('MAINT-SG-TYPED')}`);
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await frame.getByRole('button', { name: /^Save/ }).click();
  await enrol(page, 'olive');
  await expect(page).toHaveURL('/resources/whois-text-upload');
  // What was interrupted waits for a press, with the text that was typed.
  const question = frame.getByRole('alertdialog', { name: 'Upload whois objects?' });
  await expect(question).toContainText('Nothing has been sent yet.');
  await question.getByRole('button', { name: 'Upload whois objects' }).click();
  await expect(frame.getByRole('region', { name: 'Result' })).toContainText('2 created');
  forget('olive');
});

test('after a password reset by mail a change is refused with the reason and the time, and what was typed stays', async ({
  page,
  watch,
}) => {
  test.slow();
  watch.expect(/status of 403 .*\/whois\/uploads/);
  forget('tess');
  await page.goto('/account/reset');
  await page.getByLabel('User name or e-mail').fill('tess');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  const mail = page.getByRole('article', { name: 'Choose a new password' }).first();
  const link = mail.getByRole('link', { name: 'Choose a new password' });
  await expect(async () => {
    await page.goto('/dev/mail');
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.goto((await link.getAttribute('href'))!);
  const password = 'quiet lamps over seven rivers';
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.goto('/resources/whois-text-upload');
  await page.getByLabel('User name or e-mail').fill('tess');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await enterCode(page, 'tess');
  const frame = framed(page);
  const text = frame.getByRole('textbox', { name: 'Text of the objects' });
  await text.fill(person('MAINT-AU-EXAMPLE'));
  // A dry run changes nothing.
  await frame.getByRole('button', { name: 'Dry run' }).click();
  await frame.getByRole('button', { name: 'Save 1 object' }).click();
  await expect(
    page.getByText(/The password of your login was reset\.\s+For security, it can’t make changes until\s+\d+\s+\w+\s+\d{4}\s+at/),
  ).toBeVisible();
  await expect(text).toHaveValue(/Typed Before/);
  forget('tess');
});
