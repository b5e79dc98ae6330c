import { firstAccountCookie } from '@portal/contract/shell/own-provider';
import { tabStorage } from '../auth/stored-user.ts';
import { dropDrafts } from '../form/draft.ts';
import { dropAccountName } from '../session/selected-account.ts';

/**
 * Removes what this device stores about a person who signs out: drafts, names of accounts and searches. A session that ends otherwise keeps it, for
 * the person's return.
 */
export function forgetPerson(userId: string): void {
  dropDrafts(userId);
  dropAccountName(userId);
  const storage = tabStorage();
  for (const key of Object.keys(storage ?? {})) if (key.startsWith('recent-places ')) storage!.removeItem(key);
  document.cookie = `${firstAccountCookie}=; path=/; max-age=0`;
}
