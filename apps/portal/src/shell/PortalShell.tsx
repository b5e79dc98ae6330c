import type { SignedInUser } from '@portal/app-kit/auth/stored-user';
import { OptionalPlace, optionalPart } from '@portal/app-kit/page/later';
import { onPaletteKey, reading, useMaybeSession, usePlace } from '@portal/app-kit';
import { hasHighLatency } from '@portal/app-kit/first/connection';
import { ErrorBanner } from '@portal/app-kit/page/ErrorBanner';
import { SessionEnd } from '@portal/app-kit/page/SessionEnd';
import { visibleNavigation } from '@portal/contract/navigation';
import { shell } from '@portal/contract/shell/shell';
import { Banner, Shell, ToastRegion } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import { Announcements } from './Announcements.tsx';
import { FindAnything } from './palette/FindAnything.tsx';
import { PortalFooter } from './PortalFooter.tsx';
import { MissingNavigation, Navigation } from './Navigation.tsx';
import { navigationIn, navigationPages } from './navigation-groups.ts';
import { useOpenCounts } from './open-counts.ts';
import { ShownFrom } from './ShownFrom.tsx';
import { PortalTopBar } from './PortalTopBar.tsx';
import { themeReading } from './theme-links.ts';
import { WaitingNavigation } from './Waiting.tsx';

const ChatLoader = optionalPart(() => import('./talk/ChatLoader.tsx'), 'ChatLoader');
const HelpBeside = optionalPart(() => import('./help/HelpBeside.tsx'), 'HelpBeside');
const ServiceState = optionalPart(() => import('@portal/app-kit/page/ServiceState'), 'ServiceState');
const StaffVisit = optionalPart(() => import('./StaffVisit.tsx'), 'StaffVisit');

/** The frame of every page: top bar, navigation, messages, footer. */
export function PortalShell({ portal, user, children }: { portal: Portal; user: SignedInUser | null; children: ReactNode }) {
  const signedIn = user !== null;
  const { environment, palette } = portal;
  const { path } = usePlace();
  const session = useMaybeSession();
  const [menuOpen, setMenuOpen] = useState(false);
  const whole = useSyncExternalStore(portal.whole.subscribe, portal.whole.get);
  const theme = useQuery(themeReading(environment.themeUrl)).data ?? null;
  const navigation = useQuery({ ...reading(portal.call, shell.getNavigation, {}), enabled: signedIn, staleTime: Infinity });
  const given = useMemo(() => navigationIn(navigation.data, environment.product), [navigation.data, environment.product]);
  const pages = useMemo(() => navigationPages(given ?? []).map(({ link }) => link), [given]);
  const counts = useOpenCounts(portal, session, path, pages);
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
      <Navigation items={items} path={path} portalName={environment.portalName} counts={counts} />
    ) : !given && !navigation.isFetching ? (
      <MissingNavigation onRetry={() => void navigation.refetch()} />
    ) : (
      <WaitingNavigation />
    )
  ) : undefined;
  return (
    <>
      <Shell
        top={<PortalTopBar portal={portal} path={path} user={user} theme={theme} menuOpen={menuOpen} onMenu={() => setMenuOpen(true)} />}
        side={side}
        footer={
          <PortalFooter
            theme={theme}
            registryName={environment.registryName}
            pulse={signedIn && whole && !hasHighLatency() && <ServiceState />}
          />
        }
        menuOpen={menuOpen}
        onMenuClose={() => setMenuOpen(false)}
      >
        {environment.isSandbox && (
          <Banner title={`Sandbox: a copy of ${environment.registryName}.`}>
            Nothing you do here is published, and no e-mail is sent. The copy is replaced from time to time.
          </Banner>
        )}
        <SessionEnd auth={portal.auth} />
        <ErrorBanner errors={portal.errors} />
        {session?.account?.asStaff && <StaffVisit portal={portal} />}
        {session && (
          <OptionalPlace>
            <Announcements portal={portal} />
          </OptionalPlace>
        )}
        {children}
        <ShownFrom portal={portal} />
      </Shell>
      <ToastRegion toasts={portal.toasts} />
      {signedIn && whole && <HelpBeside />}
      <FindAnything portal={portal} items={items ?? []} />
      {environment.chat && <ChatLoader portal={portal} config={environment.chat} />}
    </>
  );
}
