import type { Person } from '@portal/contract/identity/people';
import { createElement, useEffect, useMemo, useSyncExternalStore } from 'react';
import { settleStoredChanges } from '../calls/unsettled.ts';
import type { Kit } from '../kit/kit.ts';
import { useSavedTheme } from '../settings/saved-theme.ts';
import { optionalPart } from '../page/later.tsx';
import { anySecondFactor } from '../auth/any-second-factor.ts';
import type { BrowserApp } from './browser-app.ts';

const StepUpQuestion = optionalPart(() => import('../step-up/StepUpQuestion.tsx'), 'StepUpQuestion');

/** The question about changes that wait for a second factor; empty until there was one. */
function Question({ stepUps, renew }: Pick<BrowserApp, 'stepUps'> & { renew: () => Promise<boolean> }) {
  const asked = useSyncExternalStore(stepUps.subscribe, stepUps.get);
  return asked && createElement(StepUpQuestion, { stepUps: asked, renew, onLost: asked.cancel });
}

/** Returns what an application hands to its pages, with the settings of the signed-in person, and shows the theme that they chose. */
export function useBrowserKit(app: BrowserApp, person: Person | null): Kit {
  const preferences = person && app.preferencesOf(person);
  useSavedTheme(person, preferences);
  const isSignedIn = person !== null;
  useEffect(() => {
    if (isSignedIn) void settleStoredChanges(app.call, app.notify);
  }, [app, isSignedIn]);
  return useMemo(() => {
    const { call, router, environment, setTitle, errors, notify, stepUp, stepUps, auth, returned } = app;
    const question = createElement(Question, { stepUps, renew: auth.renew });
    const askForSecondFactor = (): void => void stepUp(...anySecondFactor);
    return {
      call,
      router,
      environment,
      preferences,
      setTitle,
      showErrors: errors.show,
      notify,
      askForSecondFactor,
      returned,
      question,
    };
  }, [app, preferences]);
}
