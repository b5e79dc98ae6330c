import { later } from '@portal/app-kit/page/later';
import { type BrowserApp, FailureBanner, KitProvider, reading, type Session, useBrowserKit } from '@portal/app-kit';
import { people } from '@portal/contract/identity/people';
import { Shell, SkeletonTiles, TopBar } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { NoPage } from './NoPage.tsx';

const DeskShell = later(() => import('./shell/DeskShell.tsx'), 'DeskShell');

/**
 * Admits registry staff. For everyone else there is no page at this address: the code behind the gate is not even loaded for them.
 */
export function Gate({ desk }: { desk: BrowserApp }) {
  const { call, answers, environment } = desk;
  const { data: person, error } = useQuery({ ...reading(call, people.getMe, {}), staleTime: Infinity }, answers);
  const kit = useBrowserKit(desk, person ?? null);
  const session = useMemo(
    (): Session | null =>
      person ? { person, accounts: [], closedAccounts: [], account: null, environment, selectAccount: () => undefined } : null,
    [person, environment],
  );
  const waiting = (
    <Bare name={environment.portalName}>
      <SkeletonTiles label="Loading" />
    </Bare>
  );
  return (
    <KitProvider kit={kit} answers={answers} session={session}>
      {error ? (
        <Bare name={environment.portalName}>
          <FailureBanner failure={error} />
        </Bare>
      ) : !person ? (
        waiting
      ) : !person.staff ? (
        <Bare name={environment.portalName}>
          <NoPage path={desk.router.place().path} />
        </Bare>
      ) : (
        <Suspense fallback={waiting}>
          <DeskShell desk={desk} person={person} />
        </Suspense>
      )}
    </KitProvider>
  );
}

/** A bar and nothing in it. */
function Bare({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Shell top={<TopBar name={name} href="/" />} menuOpen={false} onMenuClose={() => undefined}>
      {children}
    </Shell>
  );
}
