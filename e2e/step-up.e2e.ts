import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { MINUTE_MS } from '@portal/contract/days';
import { moveClock } from './moved-clock.ts';
import { arriveAs, enterCode, forget, framed, goInside, greeting } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';
import type { Programs } from './programs.ts';

/** Goes through the pages that set up an authenticator app, from the question whether to do it now. */
async function enrol(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Set it up now' }).click();
  const password = page.getByLabel('Password');
  await expect(password.or(page.getByRole('link', { name: 'Authenticator app' }))).toBeVisible();
  if (await password.isVisible()) {
    await password.fill(`demo-registry-${name}`);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  await addApp(page);
}

/** Goes through the pages that set up an authenticator app. */
async function addApp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Authenticator app' }).click();
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

/** The question for a second factor, over the page. */
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Confirm that it’s you' });

/** Enters the code of a demo person into the question; the press is left to the story. */
async function fillCode(page: Page): Promise<void> {
  await question(page).locator('button[data-code]').click();
}

/** Signs in on the way to a page of one's login. */
async function fillInAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password').fill(`demo-registry-${name}`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await enterCode(page, name);
}

test.describe('minutes after signing in', () => {
  test.use({ program: 'moved clock' });
  /** How far the clock of the program is ahead, in ms. */
  let ahead = 0;
  /** The same of the browser. */
  let shown = 0;
  const later = async (programs: Programs, minutes: number): Promise<void> => {
    ahead += minutes * MINUTE_MS;
    await programs.turnClock('moved clock', ahead);
  };
  const arrive = async (page: Page, name: string, path: string): Promise<void> => {
    // Each script moves the clock on from the ones before.
    await page.context().addInitScript(moveClock, ahead - shown);
    shown = ahead;
    forget(name);
    await arriveAs(page, name, path);
  };
  test.beforeEach(({ programs, watch }) => {
    shown = 0;
    // Stories of other files may have moved the clock of the program before. Back in time it would go only by starting again, which ends sessions.
    ahead = programs.clockOf('moved clock');
    watch.expect(/status of 401|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|Failed to (fetch|load)/);
  });

  test('a route is saved from where it is, with a code and no password; giving up leaves the form as it was and sends nothing', async ({
    page,
    programs,
  }) => {
    test.slow();
    const save = /\/api\/EXAMPLE-AU\/routes$/;
    const sent = countCalls(page, save);
    const form = '/resources/routes/index?add=yes&prefix=198.18.66.0/24&asn=AS64500';
    await arrive(page, 'tess', form);
    const frame = framed(page);
    await frame.getByRole('button', { name: 'Review' }).click();
    await later(programs, 6);
    const button = frame.getByRole('button', { name: 'Save 1 route' });
    await button.click();

    await expect(question(page)).toContainText('Save routes');
    await expect(question(page)).toContainText('Add 198.18.66.0/24 AS64500');
    await expect(question(page).getByLabel('One-time code')).toBeFocused();
    await expect(page.getByLabel('Password')).toHaveCount(0);
    await expectFit(page, [
      { width: 320, theme: 'light' },
      { width: 390, theme: 'dark' },
      // 200 % of a window of 1280 px.
      { width: 640, theme: 'light' },
      { width: 1280, theme: 'dark' },
    ]);
    await page.keyboard.press('Escape');
    await expect(question(page)).toHaveCount(0);
    await expect(button).toBeEnabled();
    expect(sent, 'refused, and not sent again').toHaveLength(1);

    await button.click();
    await question(page).getByLabel('One-time code').fill('000000');
    await question(page).getByRole('button', { name: 'Save routes' }).click();
    await expect(question(page)).toContainText('4 tries left before a pause.');
    expect(sent).toHaveLength(2);
    await fillCode(page);
    await question(page).getByRole('button', { name: 'Save routes' }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/resources\/routes\/index\?saved=\d+$/);
    await expect(frame.getByText('198.18.66.0/24').first()).toBeVisible();
    expect(sent).toHaveLength(3);
    await expect(page.getByRole('button', { name: /^Confirmed, \d min left/ })).toBeVisible();
  });

  test('two requests are approved in a row with one confirmation; one that was given up is never approved', async ({ page, programs }) => {
    test.slow();
    const sent = countCalls(page, /\/api\/staff\/resource-requests\/\d+\/approve/);
    const [one, two] = ['/desk/requests/resources-1', '/desk/requests/resources-2'] as const;
    const approve = async () => {
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Approve' }).click();
    };
    await arrive(page, 'stella', one);
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    await later(programs, 7);
    await approve();
    await expect(question(page)).toContainText('Approve REQ-1');
    await expect(question(page)).toContainText('is delegated to CORAL-KI');
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    expect(sent).toHaveLength(1);

    // Given up: neither another request, nor the same one, nor the next sign-in sends it.
    for (const address of [two, one]) {
      await goInside(page, address);
      await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
    }
    await page.goto('/logout');
    await expect(page.getByRole('button', { name: 'Log in' }).first()).toBeVisible();
    await arrive(page, 'stella', one);
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect(sent).toHaveLength(1);

    await later(programs, 7);
    await approve();
    await fillCode(page);
    await question(page).getByRole('button', { name: 'Approve REQ-1' }).click();
    await expect(page.getByText('REQ-1 approved. CORAL-KI gets an e-mail.')).toBeVisible();
    await goInside(page, two);
    await expect(page.getByText('DELTA-VN').first()).toBeVisible();
    await approve();
    await expect(page.getByText('REQ-2 approved. DELTA-VN gets an e-mail.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'The decision' })).toBeVisible();
    expect(sent, 'one refused, one given up, and two made').toHaveLength(4);
  });

  test('a passkey confirms a route with one press', async ({ page, programs }) => {
    test.slow();
    forget('corin');
    await page.context().addInitScript(moveClock, ahead);
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    });
    await page.goto('/account/factors/passkey');
    await fillInAccount(page, 'corin');
    await page.getByLabel('Name').fill('Office laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await expect(page.getByText('Office laptop').or(page.getByLabel('I have saved them')).first()).toBeVisible();
    await page.goto('/resources/routes/index?add=yes&prefix=198.18.65.0/24&asn=AS64500');
    const frame = framed(page);
    await frame.getByRole('button', { name: 'Review' }).click();
    await later(programs, 6);
    await frame.getByRole('button', { name: 'Save 1 route' }).click();
    await expect(question(page)).toContainText('Office laptop');
    await question(page).getByRole('button', { name: 'Use passkey' }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/resources\/routes\/index\?saved=\d+$/);
  });
});

test.describe('a framed page of another origin', () => {
  test.use({ program: 'manager elsewhere' });
  test('asks the portal around it, which says what the registry says, and sends what it gets', async ({ page, programs, watch }) => {
    test.slow();
    // What is loaded ahead while the program starts again is refused by it.
    watch.expect(/Unable to preload CSS|Refused to apply style|Framing 'http:/);
    watch.expect(/status of 401|ERR_|Failed to (fetch|load)|Request to another host: http:\/\/manager\.localhost/);
    const save = /\/api\/EXAMPLE-AU\/routes$/;
    const confirmed: boolean[] = [];
    page.on('request', request => {
      if (request.method() === 'POST' && save.test(request.url())) confirmed.push('confirmation' in request.headers());
    });
    forget('corin');
    await arriveAs(page, 'corin', '/resources/routes/index?add=yes&prefix=198.18.66.0/24&asn=AS64500');
    const frame = framed(page);
    await frame.getByRole('button', { name: 'Review' }).click();
    await programs.turnClock('manager elsewhere', 6 * MINUTE_MS);
    await frame.getByRole('button', { name: 'Save 1 route' }).click();
    await expect(question(page)).toContainText('Save routes of EXAMPLE-AU: add 1 route');
    await expect(question(page)).toContainText('good for changes of routes and RPKI of EXAMPLE-AU');
    await fillCode(page);
    await question(page).getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/resources\/routes\/index\?saved=\d+$/);
    expect(confirmed).toEqual([false, true]);
    forget('corin');
    await programs.moveClock('manager elsewhere', 0);
  });
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
  await expect(question(page)).toContainText('Upload whois objects');
  await expectAccessible(page);
  await question(page).getByLabel('Your password').fill('demo-registry-olive');
  await question(page).getByRole('button', { name: 'Set up two-factor' }).click();
  await addApp(page);
  await expect(page).toHaveURL('/resources/whois-text-upload');
  // What was interrupted waits for a press, with the text that was typed.
  const returned = frame.getByRole('alertdialog', { name: 'Upload whois objects?' });
  await expect(returned).toContainText('Nothing has been sent yet.');
  await returned.getByRole('button', { name: 'Upload whois objects' }).click();
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
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
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
