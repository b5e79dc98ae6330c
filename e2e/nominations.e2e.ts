import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectDrawn, test } from './portal-test.ts';

// Checking a nominee requires a second factor given minutes ago.
test.beforeAll(() => forget('stella'));

test('a member nominates a person, who agrees, and once the registry has checked it the members read the candidate’s page', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  await arriveAs(page, 'corin', '/voting');
  const card = page.getByRole('region', { name: /^Executive Council election \d+, as a member$/ });
  await card.getByRole('link', { name: /^Nominate:/ }).click();
  const form = page.getByRole('form', { name: /^Nomination in Executive Council election/ });
  await form.getByLabel('Full name').fill('Nadia Newcomer');
  await form.getByLabel('Organisation').fill('Example Exchange');
  await form.getByLabel('E-mail', { exact: true }).fill('nadia@newcomer.example');
  await form.getByLabel('E-mail again').fill('nadia@newcomer.exampel');
  await form.getByLabel('Reason').fill('She ran the exchange point for ten years.');
  await form.getByRole('button', { name: 'Nominate' }).click();
  await expect(form.getByText('Enter the same e-mail address twice').first()).toBeVisible();
  await form.getByLabel('E-mail again').fill('nadia@newcomer.example');
  await form.getByRole('button', { name: 'Nominate' }).click();
  await expect(page.getByText('Awaiting the nominee')).toBeVisible();
  await expectAccessible(page);
  await expectDrawn(page);
  const election = /\/voting\/(\d+)\/nominate/.exec(page.url())![1]!;

  const nadia = await (await browser.newContext()).newPage();
  await arriveAs(nadia, 'nadia', `/voting/${election}/nomination`);
  await nadia.getByLabel('Statement').fill('I stand for open peering.');
  await nadia.getByRole('button', { name: 'Agree to stand' }).click();
  await expect(nadia.getByText('Agreed, being checked')).toBeVisible();
  await expectAccessible(nadia);
  await nadia.context().close();

  const stella = await (await browser.newContext()).newPage();
  await arriveAs(stella, 'stella', `/desk/elections?election=${election}`);
  await stella.getByRole('button', { name: 'Can stand: Nadia Newcomer' }).click();
  await expect(stella.getByText('Candidate', { exact: true })).toBeVisible();
  await expectAccessible(stella);
  await stella.context().close();

  const dora = await (await browser.newContext()).newPage();
  await arriveAs(dora, 'dora', `/desk/elections?election=${election}`);
  await expect(dora.getByRole('region', { name: 'Scrutiny' }).getByText('Frozen when voting opens')).toBeVisible();
  await dora.context().close();

  await page.goto('/voting');
  await card.getByRole('link', { name: /^All candidates/ }).click();
  await expect(page.getByRole('heading', { name: 'Nadia Newcomer' })).toBeVisible();
  await expect(page.getByText('I stand for open peering.')).toBeVisible();
  await expectAccessible(page);
  await expectDrawn(page);
});
