import type { Person } from '@portal/contract/identity/people';
import { useEffect, useMemo } from 'react';
import { settleStoredChanges } from '../calls/unsettled.ts';
import type { Kit } from '../page/kit.ts';
import { useSavedTheme } from '../settings/saved-theme.ts';
import { anySecondFactor } from '../auth/any-second-factor.ts';
import type { BrowserApp } from './browser-app.ts';

/** Returns what an application hands to its pages, with the settings of the signed-in person, and shows the theme that they chose. */
export function useBrowserKit(app: BrowserApp, person: Person | null): Kit {
  const preferences = person && app.preferencesOf(person);
  useSavedTheme(person, preferences);
  const isSignedIn = person !== null;
  useEffect(() => {
    if (isSignedIn) void settleStoredChanges(app.call, app.notify);
  }, [app, isSignedIn]);
  return useMemo(() => {
    const { call, router, environment, setTitle, errors, notify, stepUp, returned } = app;
    const askForSecondFactor = (): void => void stepUp(...anySecondFactor);
    return { call, router, environment, preferences, setTitle, showErrors: errors.show, notify, askForSecondFactor, returned };
  }, [app, preferences]);
}
