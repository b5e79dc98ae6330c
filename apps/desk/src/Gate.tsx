import { type Kit, KitProvider, keepTheme, Page, PageFrame, reading, type Session, showTheme } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { people } from '@portal/contract/people';
import { Banner, LinkButton, Sheet, Shell, SkeletonTiles, Stack, TopBar } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import type { Desk } from './desk.ts';

const DeskShell = lazy(() => import('./shell/DeskShell.tsx').then(module => ({ default: module.DeskShell })));

/**
 * Lets registry staff in. For everybody else there is no page at this address: what stands behind the gate is not even loaded for them.
 */
export function Gate({ desk }: { desk: Desk }) {
  const { call, answers, environment } = desk;
  const { data: person, error } = useQuery({ ...reading(call, people.getMe, {}), staleTime: Infinity }, answers);
  const preferences = person ? desk.preferencesOf(person) : null;
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
      router: desk.router,
      environment,
      preferences,
      setTitle: desk.setTitle,
      showErrors: desk.errors.show,
      notify: desk.notify,
    }),
    [call, desk, environment, preferences],
  );
  const session = useMemo(
    (): Session | null =>
      person ? { person, accounts: [], closedAccounts: [], account: null, environment, selectAccount: () => undefined } : null,
    [person, environment],
  );
  const waiting = <Bare product={environment.product} children={<SkeletonTiles label="Loading" />} />;
  return (
    <KitProvider kit={kit} answers={answers} session={session}>
      {error ? (
        <Bare product={environment.product}>
          <Banner kind="error" traceId={error.errors[0]?.traceId}>
            {error.message}
          </Banner>
        </Bare>
      ) : !person ? (
        waiting
      ) : !person.staff ? (
        <Bare product={environment.product}>
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
function Bare({ product, children }: { product: string; children: React.ReactNode }) {
  return (
    <Shell top={<TopBar name={`My${product}`} href="/" />} menuOpen={false} onMenuClose={() => undefined}>
      {children}
    </Shell>
  );
}

/** The words of an address that does not exist. */
export function NoPage({ path }: { path: string }) {
  return (
    <PageFrame page={pages.notFound}>
      <Page title={pages.notFound.title}>
        <Sheet title="There is no page at this address">
          <Stack gap={16} style={{ justifyItems: 'start' }}>
            <p>
              <span className="mono">{path}</span> may have been moved or mistyped.
            </p>
            <LinkButton href="/" variant="primary">
              Go to the start page
            </LinkButton>
          </Stack>
        </Sheet>
      </Page>
    </PageFrame>
  );
}
