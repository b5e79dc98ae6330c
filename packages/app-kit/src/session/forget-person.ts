import { firstAccountCookie } from '@portal/contract/shell/own-provider';
import { tabStorage } from '../auth/stored-user.ts';
import { dropDrafts } from '../form/draft.ts';
import { dropAccountName } from './selected-account.ts';

/**
 * Forgets what this device keeps of a person who signs out: what was typed and not sent, the names of accounts and what was looked for in them. A session
 * that ends without the person keeps it, for their return.
 */
export function forgetPerson(userId: string): void {
  dropDrafts(userId);
  dropAccountName(userId);
  const storage = tabStorage();
  for (const key of Object.keys(storage ?? {})) if (key.startsWith('recent-places ')) storage!.removeItem(key);
  document.cookie = `${firstAccountCookie}=; path=/; max-age=0`;
}
