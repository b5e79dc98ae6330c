import type { Person } from '@portal/contract/identity/people';
import { useEffect } from 'react';
import type { Preferences } from '../kit/kit.ts';
import { keepTheme, showTheme } from './theme.ts';

/** Returns a person's settings as the server has them, and applies their theme, also when it changes. */
export function useSavedTheme(person: Pick<Person, 'preferences'> | null | undefined, preferences: Preferences | null): void {
  useEffect(() => {
    if (!preferences || !person) return;
    preferences.receive(person.preferences);
    const apply = () => {
      const { theme } = preferences.get();
      if (!theme) return;
      showTheme(theme);
      keepTheme(theme);
    };
    apply();
    return preferences.subscribe(apply);
  }, [preferences, person]);
}
