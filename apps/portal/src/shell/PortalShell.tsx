import { onPaletteKey, reading, useMaybeSession, usePlace } from '@portal/app-kit';
import { ErrorBanner } from '@portal/app-kit/page/ErrorBanner';
import { SessionEnd } from '@portal/app-kit/page/SessionEnd';
import { visibleNavigation } from '@portal/contract/navigation';
import { shell } from '@portal/contract/shell/shell';
import { Shell, ToastRegion } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Portal } from '../portal.ts';
import { ChatLoader } from './ChatLoader.tsx';
import { FindAnything } from './FindAnything.tsx';
import { Foot } from './Foot.tsx';
import { MissingNavigation, Navigation } from './Navigation.tsx';
import { navigationIn } from './navigation-groups.ts';
import { ShownFrom } from './ShownFrom.tsx';
import { Top } from './Top.tsx';
import { themeReading } from './theme-links.ts';
import { WaitingNavigation } from './Waiting.tsx';

const Announcements = lazy(() => import('./Announcements.tsx').then(module => ({ default: module.Announcements })));
const StaffVisit = lazy(() => import('./StaffVisit.tsx').then(module => ({ default: module.StaffVisit })));

/** The frame of every page: top bar, navigation, messages, footer. */
export function PortalShell({ portal, signedIn, children }: { portal: Portal; signedIn: boolean; children: ReactNode }) {
  const { environment, palette } = portal;
  const { path } = usePlace();
  const session = useMaybeSession();
  const [menuOpen, setMenuOpen] = useState(false);
  const theme = useQuery(themeReading(environment.themeUrl)).data ?? null;
  const navigation = useQuery({ ...reading(portal.call, shell.getNavigation, {}), enabled: signedIn, staleTime: Infinity });
  const given = navigationIn(navigation.data, environment.product);
  const items =
    session && given
      ? visibleNavigation(given, {
          hasAccounts: session.account !== null,
          account: session.account,
        })
      : null;

  useEffect(() => (signedIn ? onPaletteKey(() => palette.set(true)) : undefined), [palette, signedIn]);

  const side = signedIn ? (
    items ? (
      <Navigation items={items} path={path} product={environment.product} />
    ) : !given && !navigation.isFetching ? (
      <MissingNavigation onRetry={() => void navigation.refetch()} />
    ) : (
      <WaitingNavigation />
    )
  ) : undefined;
  return (
    <>
      <Shell
        top={<Top portal={portal} signedIn={signedIn} theme={theme} menuOpen={menuOpen} onMenu={() => setMenuOpen(true)} />}
        side={side}
        foot={<Foot theme={theme} registryName={environment.registryName} />}
        menuOpen={menuOpen}
        onMenuClose={() => setMenuOpen(false)}
      >
        <SessionEnd auth={portal.auth} />
        <ErrorBanner errors={portal.errors} />
        {session?.account?.asStaff && (
          <Suspense>
            <StaffVisit portal={portal} />
          </Suspense>
        )}
        {session && (
          <Suspense>
            <Announcements portal={portal} />
          </Suspense>
        )}
        {children}
        <ShownFrom portal={portal} />
      </Shell>
      <ToastRegion toasts={portal.toasts} />
      <FindAnything portal={portal} items={items ?? []} />
      {environment.chat && <ChatLoader portal={portal} config={environment.chat} />}
    </>
  );
}
