import { type Kit, KitProvider, keepTheme, Page, PageFrame, showTheme, useMaybeSession, usePlace } from '@portal/app-kit';
import { findPage, pages } from '@portal/contract/pages';
import { Sheet } from '@portal/ui';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { SignInProblemPage } from './auth/SignInProblemPage.tsx';
import type { Portal } from './portal.ts';
import { PortalContext } from './PortalContext.ts';
import { useSessionOf } from './session.ts';
import { FrameHost } from './shell/FrameHost.tsx';
import { PortalShell } from './shell/PortalShell.tsx';
import { WaitingPage } from './shell/Waiting.tsx';
import { views } from './views.ts';

/** The portal: who is signed in, the shell, and the page at the place. */
export function App({ portal }: { portal: Portal }) {
  const { auth, answers, call, environment } = portal;
  const { user } = useSyncExternalStore(auth.subscribe, auth.state);
  const { session, failure, retry } = useSessionOf(portal, user);
  const person = session?.person ?? null;
  const preferences = person && portal.preferencesOf(person);
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
  const kit: Kit = useMemo(
    () => ({
      call,
      router: portal.router,
      environment,
      preferences,
      setTitle: portal.setTitle,
      showErrors: portal.errors.show,
      notify: portal.notify,
    }),
    [call, portal, environment, preferences],
  );
  return (
    <KitProvider kit={kit} answers={answers} session={session}>
      <PortalContext value={portal}>
        <PortalShell portal={portal} signedIn={user !== null}>
          <CurrentPage portal={portal} waiting={user !== null && !session} failure={failure} onRetry={retry} />
        </PortalShell>
      </PortalContext>
    </KitProvider>
  );
}

function CurrentPage({
  portal,
  waiting,
  failure,
  onRetry,
}: {
  portal: Portal;
  waiting: boolean;
  failure: Error | null;
  onRetry: () => void;
}) {
  const place = usePlace();
  const problem = useSyncExternalStore(portal.problem.subscribe, portal.problem.get);
  const reloads = useSyncExternalStore(portal.reloads.subscribe, portal.reloads.get);
  const { name, page } = findPage(place.path, portal.environment.product);
  const framed = page.app === 'resource-manager' && !problem && !failure;
  const [frameSeen, setFrameSeen] = useState(framed);
  if (framed && !frameSeen) setFrameSeen(true);
  const session = useMaybeSession();
  // Whoever is not staff is not told that there is something for staff.
  const concealed = page.access.who === 'staff' && !session?.person.staff;
  const View = views[concealed ? 'notFound' : name];
  return (
    <>
      {frameSeen && <FrameHost portal={portal} shown={framed ? { page, href: place.path + place.search + place.hash } : null} />}
      {problem ? (
        <SignInProblemPage problem={problem} onSignIn={() => portal.signIn()} />
      ) : failure ? (
        <PageFrame page={{ title: page.title, access: { who: 'anyone' } }} onRetry={onRetry} key="failed">
          <Failed failure={failure} />
        </PageFrame>
      ) : framed ? null : waiting ? (
        <WaitingPage />
      ) : (
        <PageFrame page={concealed ? pages.notFound : page} key={`${name} ${session?.account?.accountName} ${reloads}`}>
          {View ? <View /> : <NotBuilt title={page.title} />}
        </PageFrame>
      )}
    </>
  );
}

function NotBuilt({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Sheet title="Not there yet">
        <p>{title} is part of the portal's plan and is not in this version.</p>
      </Sheet>
    </Page>
  );
}

/** Hands the failure to the frame around the page, which words it. */
function Failed({ failure }: { failure: Error }): never {
  throw failure;
}
