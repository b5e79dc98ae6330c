import { HOUR_MS } from '@portal/contract/days';
import type { Browser, Page } from '@playwright/test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BeleniosFolder, beleniosIsInstalled } from '../dev/independent/belenios.ts';
import { moveClock } from './moved-clock.ts';
import { arriveAs, forget } from './people.ts';
import { expect, expectAccessible, expectFit, test } from './portal-test.ts';
import { approveAsScrutineer } from './scrutineer.ts';

test.use({ program: 'moved clock' });

const title = 'Council election, verifiable';
const start = Date.now();
/** How the form is given a time: in Brisbane, which knows no summer time. */
const typed = (hours: number): string => new Date(start + (10 + hours) * HOUR_MS).toISOString().slice(0, 16);
const addresses = {
  tess: 'tess@example-au.example',
  nils: 'nils@natreg.example',
  corin: 'corin@example-au.example',
  stan: 'stan@registry.example',
  ravi: 'ravi@registry.example',
};
const trustees = ['nils', 'stan', 'ravi'] as const;

/** Opens a browser of a person's own in which as many hours have gone by as in the program. */
async function arrive(browser: Browser, name: string, place: string, hours: number): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(moveClock, hours * HOUR_MS);
  const page = await context.newPage();
  forget(name);
  await arriveAs(page, name, place);
  return page;
}

/** Saves what a press downloads. @returns its path */
async function download(page: Page, folder: string, name: string, press: () => Promise<void>): Promise<string> {
  const saving = page.waitForEvent('download');
  await press();
  const file = path.join(folder, name);
  await (await saving).saveAs(file);
  return file;
}

/** Chooses, encrypts and casts a ballot. @returns its tracker */
async function vote(page: Page, chosen: readonly string[], code: string): Promise<string> {
  for (const name of chosen) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByLabel('Voting code').fill(code);
  const onPurpose = page.getByRole('checkbox', { name: /on purpose/ });
  if ((await onPurpose.count()) > 0) await onPurpose.check();
  await page.getByRole('button', { name: /^Encrypt/ }).click();
  await expect(page.getByTestId('tracker')).toBeVisible();
  await page.getByRole('button', { name: /^Cast \d+ votes/ }).click();
  await expect(page.getByText('In the box', { exact: true })).toBeVisible();
  return (await page.getByTestId('tracker').innerText()).replaceAll(/\s/g, '');
}

test('an election with encrypted ballots: appointed, keyed, voted on by a member and a proxy, decrypted by two of three, and verified by belenios-tool', async ({
  browser,
  page,
  programs,
}) => {
  test.setTimeout(420_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-encrypted-election-'));

  const stella = await arrive(browser, 'stella', '/desk/elections?election=new', 0);
  const form = stella.getByRole('form', { name: 'New election' });
  await form.getByLabel('Kind').selectOption('ec');
  await form.getByLabel('Ballots').selectOption('encrypted');
  await expect(form.getByRole('group', { name: 'Voting of proxies' }).getByText('cast in the portal')).toBeVisible();
  await expect(form.getByRole('group', { name: 'Voting of attendees' })).toHaveCount(0);
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Seats').fill('2');
  await form.getByLabel(/selections/i).fill('2');
  for (const [group, opens, closes] of [
    ['Voting of members', 30, 90],
    ['Proxy appointment', 30, 33],
    ['Voting of proxies', 82, 90],
  ] as const) {
    const times = form.getByRole('group', { name: group });
    await times.getByLabel('Opens').fill(typed(opens));
    await times.getByLabel('Closes').fill(typed(closes));
  }
  await form.getByRole('button', { name: 'Save draft' }).click();
  await expect(stella.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const election = /election=(\d+)/.exec(stella.url())![1]!;
  await stella.getByRole('button', { name: /^Change candidates/ }).click();
  await stella.getByLabel(/^One paragraph for each/).fill('Ada Okafor\nOpen peering.\n\nBo Lind\n\nCy Young');
  await stella.getByRole('button', { name: 'Save', exact: true }).click();
  await stella.getByRole('button', { name: 'Appoint authority and trustees' }).click();
  const appointing = stella.getByRole('form', { name: 'Appoint authority and trustees' });
  await appointing.getByLabel('Credential authority').fill(addresses.tess);
  await appointing.getByLabel('Trustees', { exact: true }).fill(trustees.map(name => addresses[name]).join('\n'));
  await appointing.getByRole('button', { name: 'Appoint', exact: true }).click();
  await expect(stella.getByText('2 of 3 decrypt', { exact: false })).toBeVisible();
  await stella.context().close();
  const desk = `/desk/elections?election=${election}`;
  const dora = await arrive(browser, 'dora', desk, 0);
  await dora.getByRole('button', { name: 'Fix the roll' }).click();
  await expect(dora.getByText('Codes missing')).toBeVisible();
  await dora.context().close();

  // The authority makes the codes on its own machine.
  const tess = await arrive(browser, 'tess', `/voting/${election}/duty/authority`, 0);
  await tess.getByRole('button', { name: 'Take the roll and make the codes' }).click();
  const codesFile = await download(tess, folder, 'codes', () => tess.getByRole('button', { name: 'Private file' }).click());
  await expectAccessible(tess);
  await tess.getByLabel('I have kept the private file').check();
  await tess.getByRole('button', { name: 'Send the public list' }).click();
  await expect(tess.getByText('Public list sent')).toBeVisible();
  await tess.context().close();
  const codes = new Map(
    readFileSync(codesFile, 'utf8')
      .trim()
      .split('\n')
      .map(line => [line.split(',')[0]!, line.split(' ')[1]!]),
  );

  // Three trustees make a key in three steps, each with a file that stays with the trustee.
  const people = new Map<string, Page>();
  for (const name of trustees) {
    const trustee = await arrive(browser, name, `/voting/${election}/duty/trustee`, 0);
    people.set(name, trustee);
    await download(trustee, folder, `${name}.key`, () => trustee.getByRole('button', { name: 'Make my key' }).click());
    await trustee.getByLabel('I have kept the key file').check();
    await trustee.getByRole('button', { name: 'Send the public part' }).click();
    await expect(trustee.getByRole('heading', { name: 'Make your key' })).toHaveCount(0);
  }
  for (const act of ['Make and send the second message', 'Check, make and send my share'])
    for (const [name, trustee] of people) {
      await trustee.reload();
      await trustee.getByLabel('Your key file').setInputFiles(path.join(folder, `${name}.key`));
      await trustee.getByRole('button', { name: act }).click();
      await expect(trustee.getByRole('button', { name: act })).toHaveCount(0);
    }
  await expectAccessible(people.get('ravi')!);
  for (const trustee of people.values()) await trustee.context().close();
  // Each of the staff gives a second factor anew.
  const returning = await arrive(browser, 'dora', desk, 0);
  await returning.getByRole('button', { name: 'Set up the ballot' }).click();
  await expect(returning.getByText('.bel', { exact: false })).toBeVisible();
  const publishing = await arrive(browser, 'stella', desk, 0);
  await publishing.getByRole('button', { name: 'Publish' }).click();
  await expect(publishing.getByText('It waits for Dora Nwosu, Ravi Menon, or Vera Lund', { exact: false })).toBeVisible();
  await expectAccessible(publishing);
  const scrutineer = await arrive(browser, 'vera', desk, 0);
  await approveAsScrutineer(scrutineer);
  await scrutineer.context().close();
  await publishing.reload();
  await expect(publishing.getByText('Published', { exact: true })).toBeVisible();
  await expectAccessible(publishing);
  for (const person of [returning, publishing]) await person.context().close();

  await programs.moveClock('moved clock', 31 * HOUR_MS);
  const corin = await arrive(browser, 'corin', `/voting/${election}/cast`, 31);
  await expectAccessible(corin);
  // A ballot that is opened instead of being cast is checked with a file that works without the portal.
  await corin.getByRole('checkbox', { name: 'Cy Young' }).check();
  await corin.getByRole('button', { name: 'Review' }).click();
  await corin.getByLabel('Voting code').fill(codes.get('EXAMPLE-AU')!);
  await corin.getByRole('checkbox', { name: /on purpose/ }).check();
  await corin.getByRole('button', { name: /^Encrypt/ }).click();
  await corin.getByRole('button', { name: 'Check this ballot instead' }).click();
  await expect(corin.getByText('This page: the ballot contains what is shown')).toBeVisible();
  await expectAccessible(corin);
  const opened = await download(corin, folder, 'opened.json', () => corin.getByRole('button', { name: 'Save opened ballot' }).click());
  const verifier = await download(corin, folder, 'check-ballot.html', () =>
    corin.getByRole('link', { name: 'Save the second verifier' }).click(),
  );
  const offline = await (await browser.newContext({ offline: true })).newPage();
  await offline.goto(`file://${verifier}`);
  await offline.getByLabel('The opened ballot, as you saved it').setInputFiles(opened);
  await expect(offline.getByText('The ballot contains what is shown below.')).toBeVisible();
  await expect(offline.getByRole('row', { name: 'Cy Young 1 equal' })).toBeVisible();
  await offline.context().close();
  await corin.getByRole('button', { name: 'Make a new ballot' }).click();
  await corin.getByRole('checkbox', { name: 'Cy Young' }).uncheck();
  const tracker = await vote(corin, ['Ada Okafor', 'Bo Lind'], codes.get('EXAMPLE-AU')!);
  await corin.getByRole('button', { name: 'Look it up' }).click();
  await expect(corin.getByRole('status').filter({ hasText: 'In the box with 8 votes' })).toBeVisible();
  await expectAccessible(corin);
  await corin.context().close();
  // Nils leaves the 64 votes of his account to Corin, who signs in and votes with its code once proxies vote.
  const nils = await arrive(browser, 'nils', `/voting/${election}/appoint-proxy`, 31);
  const appointment = nils.getByRole('form', { name: /^Proxy of / });
  await appointment.getByLabel('Full name').fill('Corin Achterberg');
  await appointment.getByLabel('E-mail', { exact: true }).fill(addresses.corin);
  await appointment.getByLabel('E-mail again').fill(addresses.corin);
  await appointment.getByRole('checkbox').check();
  await appointment.getByRole('button', { name: 'Appoint the proxy' }).click();
  await expect(nils.getByText('Corin Achterberg is the proxy of')).toBeVisible();
  await nils.goto(`/voting/${election}/cast`);
  await expect(nils.getByText('Corin Achterberg votes as your proxy', { exact: false })).toBeVisible();
  await nils.context().close();
  await programs.moveClock('moved clock', 83 * HOUR_MS);
  const proxy = await arrive(browser, 'corin', '/voting', 83);
  const appointed = proxy.getByRole('link', { name: `NATREG-XX in ${title}`, exact: true });
  await expect(appointed).toBeVisible();
  const turn = proxy.getByRole('link', { name: `Vote for NATREG-XX in ${title}` });
  await turn.click();
  await expect(proxy.getByText('(NATREG-XX)', { exact: false })).toBeVisible();
  await expectAccessible(proxy);
  const ofProxy = await vote(proxy, ['Ada Okafor'], codes.get('NATREG-XX')!);
  await proxy.goto('/voting');
  await expect(appointed).toBeVisible();
  await expect(turn).toHaveCount(0);
  await expect(proxy.getByText('Voted', { exact: true })).toBeVisible();
  await expectFit(proxy);
  await proxy.context().close();
  // The account reads in its log who voted for it.
  const account = await arrive(browser, 'nils', '/member-account-settings/activity-logs', 83);
  await expect(account.getByRole('button', { name: /^Cast an encrypted ballot as a proxy/ })).toBeVisible();
  await expect(account.getByRole('button', { name: /^Appointed a proxy/ })).toBeVisible();
  await account.goto('/voting/history');
  await expect(account.getByRole('row', { name: new RegExp(`${title}.*Corin Achterberg`) })).toBeVisible();
  await account.context().close();
  await page.goto(`/elections/${election}`);
  await expect(page.getByText(tracker)).toBeVisible();
  await expect(page.getByText(ofProxy)).toBeVisible();

  // Voting is over: the returning officer starts the count, having read whose votes two ballots give away.
  await programs.moveClock('moved clock', 91 * HOUR_MS);
  const officer = await arrive(browser, 'dora', desk, 91);
  await expect(async () => {
    await officer.reload();
    await officer.getByLabel('I have read whose votes the sums give away').check({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
  await officer.getByRole('button', { name: 'Start the count' }).click();
  await expect(officer.getByText('It waits for Vera Lund', { exact: false })).toBeVisible();
  const observer = await arrive(browser, 'vera', desk, 91);
  await approveAsScrutineer(observer);
  await observer.context().close();
  await officer.reload();
  await expect(officer.getByText('The trustees decrypt the sums.', { exact: false })).toBeVisible();
  await officer.context().close();
  for (const name of ['nils', 'ravi']) {
    const trustee = await arrive(browser, name, `/voting/${election}/duty/trustee`, 91);
    await trustee.getByLabel('Your key file').setInputFiles(path.join(folder, `${name}.key`));
    await trustee.getByRole('button', { name: 'Verify and decrypt' }).click();
    await expect(trustee.getByText('The archive holds.')).toBeVisible();
    await trustee.getByRole('button', { name: 'Send the decryption' }).click();
    await expect(trustee.getByRole('heading', { name: 'Decrypt the sums' })).toHaveCount(0);
    await trustee.context().close();
  }
  await page.goto(`/elections/${election}`);
  await expect(page.getByText('All ballots are counted.')).toBeVisible();
  for (const [name, votes] of [
    ['Ada Okafor', '72'],
    ['Bo Lind', '8'],
    ['Cy Young', '0'],
  ] as const)
    await expect(page.getByRole('row', { name }).getByRole('cell').first()).toHaveText(votes);
  await expectFit(page);
  if (beleniosIsInstalled) {
    using tool = new BeleniosFolder();
    const uuid = /([1-9A-HJ-NP-Za-km-z]{14})\.bel/.exec(await page.content())![1]!;
    const archive = await page.request.get(`/elections/${election}/archive`);
    expect(await tool.accepts(uuid, await archive.body())).toBe(true);
  }
  rmSync(folder, { recursive: true });
});
