import { expect, type Page } from '@playwright/test';

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

/** The provider's sessions of this run: a person who signed in once is known to the next test's browser, as after closing a tab. */
const sessions = new Map<string, Cookies>();
/** A one-time code opens one sign-in only. */
const usedCodes = new Map<string, string>();

/** The button of the top bar that greets whoever is signed in: seen when the portal is useful. */
export const greeting = (page: Page) => page.getByRole('button', { name: /^Hello, / });

/** Goes to a path of the portal as this demo person, signing in when the browser does not know the person yet. */
export async function arriveAs(page: Page, name: string, path = '/'): Promise<void> {
  const known = sessions.get(name);
  if (known) await page.context().addCookies(known);
  await page.goto(path);
  const form = page.getByLabel('User name or e-mail');
  await expect(greeting(page).or(form)).toBeVisible({ timeout: 20_000 });
  if (await form.isVisible()) {
    await fillIn(page, name);
    await expect(greeting(page)).toBeVisible({ timeout: 20_000 });
  }
  sessions.set(name, await page.context().cookies());
}

/** Fills in the sign-in pages as a person does: name, password, and the code where the login has a second factor. */
export async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password').fill(`demo-registry-${name}`);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(greeting(page).or(page.getByLabel('One-time code'))).toBeVisible({ timeout: 20_000 });
  if (await page.getByLabel('One-time code').isVisible()) await enterCode(page, name);
}

/** Enters the second factor; waits for the next code when this one was used already. */
export async function enterCode(page: Page, name: string): Promise<void> {
  const shown = page.locator('a[data-code]');
  const fresh = async (): Promise<string> => (await shown.getAttribute('data-code').catch(() => null)) ?? '';
  // The page shows the next code by itself as soon as there is one.
  await expect(async () => {
    const code = await fresh();
    expect(code).toMatch(/^\d{6}$/);
    expect(code).not.toBe(usedCodes.get(name));
  }).toPass({ timeout: 40_000 });
  const code = await fresh();
  usedCodes.set(name, code);
  await page.getByLabel('One-time code').fill(code);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The next arrival of this person signs in anew. */
export const forget = (name: string): boolean => sessions.delete(name);
