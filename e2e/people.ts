import { type BrowserContext, expect, type Page } from '@playwright/test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
/** Known facts about a person during one run of all tests. */
type Known = {
  /** The provider's session: a person who signed in once is known to the next test's browser, as after closing a tab. */
  cookies?: Cookies | undefined;
  /** Time of that sign-in, in milliseconds. */
  signedInAt?: number;
  /** A one-time code opens one sign-in only. */
  usedCode?: string;
};

/** In a file, because a test that fails ends the process that ran it. The benchmarks have no folder of a run. */
const file = process.env.E2E_FOLDER
  ? path.join(process.env.E2E_FOLDER, `people-${process.env.TEST_PARALLEL_INDEX ?? 0}.json`)
  : path.join(os.tmpdir(), `portal-people-${process.pid}.json`);
const everybody = (): Record<string, Known> => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Known>) : {});
const known = (name: string): Known => everybody()[name] ?? {};
const remember = (name: string, more: Known): void =>
  writeFileSync(file, JSON.stringify({ ...everybody(), [name]: { ...known(name), ...more } }));

/** The button of the top bar that greets the signed-in person: visible when the portal is usable. */
export const greeting = (page: Page) => page.getByRole('button', { name: /^Hello, / });

/** The content of the resource manager's frame. */
export const framed = (page: Page) => page.frameLocator('iframe[title]');

/** Goes to a path inside the portal as its links do, without loading a document: a third of the processor time. */
export const goInside = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);

/** An older sign-in is renewed, so that a second factor is fresh for as long as a story takes. */
const YOUNG_MS = 120_000;

/** Who is signed in in a browser. */
const signedIn = new WeakMap<BrowserContext, string>();

/** Lets a browser forget the person before: the page would greet that one, if the session of the next is too old to be taken. */
async function leave(page: Page): Promise<void> {
  // The page that is open would see that its session is gone, and go elsewhere meanwhile.
  await page.evaluate('sessionStorage.clear()').catch(() => {});
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Goes to a path of the portal as this demo person, signing in when the browser does not know the person yet. */
export async function arriveAs(page: Page, name: string, path = '/'): Promise<void> {
  const { cookies, signedInAt = 0 } = known(name);
  if ((signedIn.get(page.context()) ?? name) !== name) await leave(page);
  signedIn.set(page.context(), name);
  if (cookies && Date.now() - signedInAt < YOUNG_MS) await page.context().addCookies(cookies);
  await page.goto(path);
  const form = page.getByLabel('User name or e-mail');
  await expect(greeting(page).or(form)).toBeVisible({ timeout: 20_000 });
  if (await form.isVisible()) {
    await fillIn(page, name);
    await expect(greeting(page)).toBeVisible({ timeout: 20_000 });
    remember(name, { signedInAt: Date.now() });
  }
  remember(name, { cookies: await page.context().cookies() });
}

/** Fills in the sign-in pages as a person does: name, password, and the code where the login has a second factor. */
export async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password').fill(`demo-registry-${name}`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(greeting(page).or(page.getByLabel('One-time code'))).toBeVisible({ timeout: 20_000 });
  if (await page.getByLabel('One-time code').isVisible()) await enterCode(page, name);
}

/** Enters the second factor; waits for the next code when this one was used already. */
export async function enterCode(page: Page, name: string): Promise<void> {
  const shown = page.locator('a[data-code]');
  const fresh = async (): Promise<string> => (await shown.getAttribute('data-code', { timeout: 1000 }).catch(() => null)) ?? '';
  // The page shows the next code automatically as soon as there is one.
  await expect(async () => {
    const code = await fresh();
    expect(code).toMatch(/^\d{6}$/);
    expect(code).not.toBe(known(name).usedCode);
  }).toPass({ timeout: 40_000 });
  const code = await fresh();
  remember(name, { usedCode: code });
  await page.getByLabel('One-time code').fill(code);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** The next visit of this person signs in again. */
export const forget = (name: string): void => remember(name, { cookies: undefined });
