import type { Client } from '@portal/api-client';
import { people, type Person } from '@portal/contract/identity/people';
import type { Preferences } from '../kit/kit.ts';
import { createPreferences, localPreferences } from './preferences.ts';

/** Returns the settings store of a person: one per person, initialised from this device, saved by the registry. */
export function createPersonPreferences(call: Client): (person: Person) => Preferences {
  const stores = new Map<string, Preferences>();
  return ({ userId, preferences }) => {
    let store = stores.get(userId);
    if (!store) {
      store = createPreferences({
        userId,
        initial: localPreferences(userId) ?? preferences,
        save: change => call(people.savePreferences, { body: change }),
      });
      stores.set(userId, store);
    }
    return store;
  };
}
