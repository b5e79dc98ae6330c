import type { Account } from '@portal/contract/accounts/accounts';
import { type DeviceStorage, deviceStorage } from '../kit/device-storage.ts';

const keyOf = (userId: string): string => `selected-account:${userId}`;

/** The accounts a person can select: closed ones are dropped, the rest sorted by name (specification, section 4). */
export function selectableAccounts(accounts: readonly Account[]): Account[] {
  // Names are capital letters, digits and hyphens: a collator would give the same order, but take 40 ms on a slow processor.
  return accounts
    .filter(account => account.accountStatus !== 'closed')
    .sort((a, b) => Number(a.accountName > b.accountName) - Number(a.accountName < b.accountName));
}

/** The account to start with: the stored one if it can be selected, otherwise the first. Null without accounts. */
export function accountToSelect(selectable: readonly Account[], stored: string | null): Account | null {
  return selectable.find(account => account.accountName === stored) ?? selectable[0] ?? null;
}

/** The name of the account the person selected last on this device. */
export function storedAccountName(userId: string, storage: DeviceStorage = deviceStorage()): string | null {
  try {
    return storage.getItem(keyOf(userId));
  } catch {
    return null; // storage is disabled: nothing was stored
  }
}

/** Forgets the account that the person selected last. */
export function dropAccountName(userId: string, storage: DeviceStorage = deviceStorage()): void {
  try {
    storage.removeItem(keyOf(userId));
  } catch {
    // storage is disabled: nothing was stored
  }
}

/** Stores the selected account for the next visit. */
export function storeAccountName(userId: string, accountName: string, storage: DeviceStorage = deviceStorage()): void {
  try {
    storage.setItem(keyOf(userId), accountName);
  } catch {
    // storage is full or disabled: the choice lasts for this visit
  }
}
