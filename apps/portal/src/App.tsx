import { later } from '@portal/app-kit/page/later';
import { KitProvider, PageFrame, refusedBy, useBrowserKit, useMaybeSession, usePlace } from '@portal/app-kit';
import { endPicture } from '@portal/app-kit/first/shown-picture';
import { userIdOf } from '@portal/app-kit/auth/stored-user';
import { storeOpenPages } from '@portal/app-kit/first/open-pages';
import { findPage, pages, sitePages } from '@portal/contract/pages';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Portal } from './portal.ts';
import { PortalContext } from './PortalContext.ts';
import { useSessionOf } from './session.ts';
import { FrameHost } from './shell/FrameHost.tsx';
import { PortalShell } from './shell/PortalShell.tsx';
import { WaitingPage } from './shell/Waiting.tsx';
import { views } from './views.ts';

const SignInProblemPage = later(() => import('@portal/app-kit/page/SignInProblemPage'), 'default');
const GuestPage = later(() => import('./pages/GuestPage.tsx'), 'default');
const forEverybody = (title: string) => ({ title, access: { who: 'anyone' } as const });

/** The portal: who is signed in, the shell, and the page at the place. */
export function App({ portal }: { portal: Portal }) {
  const { auth, answers } = portal;
  const { user } = useSyncExternalStore(auth.subscribe, auth.state);
  const { session, failure, retry } = useSessionOf(portal, user);
  const kit = useBrowserKit(portal, session?.person ?? null);
  const userId = user && userIdOf(user.claims);
  // With a session the page is there in the same drawing.
  const isKnown = session !== null || failure !== null || user === null;
  useEffect(() => {
    if (isKnown) endPicture();
  }, [isKnown]);
  useEffect(() => {
    if (userId === null || !session?.account) return;
    const names = sitePages.flatMap(page => (refusedBy(page, session) ? [] : [page.name]));
    storeOpenPages({ userId, account: session.account.accountName, names });
  }, [userId, session]);
  return (
    <KitProvider kit={kit} answers={answers} session={session}>
      <PortalContext value={portal}>
        <PortalShell portal={portal} user={user}>
          <CurrentPage portal={portal} signedIn={user !== null} waiting={user !== null && !session} failure={failure} onRetry={retry} />
        </PortalShell>
      </PortalContext>
    </KitProvider>
  );
}

function CurrentPage({
  portal,
  signedIn,
  waiting,
  failure,
  onRetry,
}: {
  portal: Portal;
  signedIn: boolean;
  waiting: boolean;
  failure: Error | null;
  onRetry: () => void;
}) {
  const place = usePlace();
  const problem = useSyncExternalStore(portal.problem.subscribe, portal.problem.get);
  const reloads = useSyncExternalStore(portal.reloads.subscribe, portal.reloads.get);
  const { name, page } = findPage(place.path, portal.environment.product);
  const session = useMaybeSession();
  const framed = page.app === 'resource-manager' && !problem && !failure;
  const [frameSeen, setFrameSeen] = useState(framed);
  if (framed && !frameSeen) setFrameSeen(true);
  // The frame is made as soon as the person is about to open a framed page.
  const intended = useSyncExternalStore(portal.intended.subscribe, portal.intended.get);
  if (intended !== null && session && !frameSeen) setFrameSeen(true);
  // Without a sign-in the start page is shown only to admitted visitors: see `admits`.
  const isGuest = name === 'home' && !signedIn;
  // Who isn't staff, or has no role now, must not learn that a staff page exists.
  const concealed = page.access.who === 'staff' && !(session?.person.staff && session.person.staffPermissions.length > 0);
  const view = views.elementOf(concealed ? 'notFound' : name);
  return (
    <>
      {frameSeen && <FrameHost portal={portal} shown={framed ? { page, href: place.path + place.search + place.hash } : null} />}
      {problem ? (
        <PageFrame page={forEverybody('Sign-in')} key="problem">
          <SignInProblemPage
            problem={problem}
            environment={portal.environment}
            signedIn={signedIn}
            onSignIn={() => portal.signIn()}
            onSignOut={() => void portal.auth.signOut({ byPerson: true })}
          />
        </PageFrame>
      ) : isGuest ? (
        <PageFrame page={forEverybody(page.title)} key="guest">
          <GuestPage />
        </PageFrame>
      ) : failure ? (
        <PageFrame page={forEverybody(page.title)} onRetry={onRetry} key="failed">
          <Failed failure={failure} />
        </PageFrame>
      ) : framed ? null : waiting ? (
        <WaitingPage title={concealed || name === 'home' ? null : page.title} />
      ) : (
        <PageFrame
          page={concealed ? pages.notFound : name === 'logout' ? forEverybody(page.title) : page}
          key={`${name} ${session?.account?.accountName} ${reloads}`}
        >
          {view}
        </PageFrame>
      )}
    </>
  );
}

/** Throws the failure to the frame around the page, which shows it. */
function Failed({ failure }: { failure: Error }): never {
  throw failure;
}
