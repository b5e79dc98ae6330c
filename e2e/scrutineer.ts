import type { Page } from '@playwright/test';
import { expect } from './portal-test.ts';

/** Approves the act that waits on the page of an election, as its scrutineer. @param page of one who observes elections, who gave a second factor just now */
export async function approveAsScrutineer(page: Page): Promise<void> {
  await expect(page.getByText('Waits for a second person')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Waits for a second person')).toHaveCount(0);
}
