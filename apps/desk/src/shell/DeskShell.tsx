import { type BrowserApp, onPaletteKey, PageFrame, paletteKeys, reading, usePlace } from '@portal/app-kit';
import { loadAhead } from '@portal/app-kit/first/ahead';
import { ErrorBanner } from '@portal/app-kit/page/ErrorBanner';
import { optionalPart } from '@portal/app-kit/page/later';
import { SessionEnd } from '@portal/app-kit/page/SessionEnd';
import { MINUTE_MS } from '@portal/contract/days';
import type { Person } from '@portal/contract/identity/people';
import { findPage, type PageName, pages } from '@portal/contract/pages';
import { desk as deskCalls } from '@portal/contract/staff/desk';
import { staffQueues } from '@portal/contract/staff/queues';
import { Shell, SideNav, ToastRegion, TopBar } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { NoPage } from '../NoPage.tsx';
import { filterSearch } from './queue-search.ts';
import { views } from '../views.ts';
import { useDeskKeys, useLeavingFields } from './cases/desk-keys.ts';
import { watchLetters } from './cases/typed-letters.ts';
import { DeskFooter } from './DeskFooter.tsx';
import styles from './DeskShell.module.css';
import { deskNavigation, placesOf, type Queue, usualQueues } from './desk-places.ts';
import { PersonMenu } from './PersonMenu.tsx';
import { useMay } from './use-may.ts';

const DeskPalette = optionalPart(() => import('./DeskPalette.tsx'), 'DeskPalette');

const KeysHelp = optionalPart(() => import('./KeysHelp.tsx'), 'KeysHelp');

const ConfirmedMark = optionalPart(() => import('@portal/app-kit/step-up/ConfirmedMark'), 'ConfirmedMark');

// Before the first page is drawn, whose data are on their way then.
watchLetters();

/** Pages that need the width of the navigation. */
const wide: readonly PageName[] = ['deskCase'];

/** The frame of every page of the desk: place, person, and open requests. */
export function DeskShell({ desk, person }: { desk: BrowserApp; person: Person }) {
  const { path, search } = usePlace();
  const isConfirmed = useSyncExternalStore(desk.confirmations.subscribe, desk.confirmations.get).length > 0;
  const [menuOpen, setMenuOpen] = useState(false);
  const { name, page } = findPage(path, desk.environment.product);
  const may = useMay();
  // Without a role that counts now, only the way to one exists.
  const view =
    page.access.who === 'staff' && person.staffPermissions.length === 0 && name !== 'deskOwnRoles' ? null : views.elementOf(name);
  const own = placesOf(may);
  const home = pages[own[0]?.name ?? 'deskOwnRoles'].path;
  const { router } = desk;
  // Without a role there is nothing to begin with but the way to one.
  useEffect(() => {
    if (path === pages.deskHome.path && home !== path) router.go(home, { replace: true });
  }, [path, home, router]);
  const { count, queues } = useQueues(desk);
  const filter = filterSearch(part => new URLSearchParams(search).get(part)).slice(1);
  const [palette, setPalette] = usePalette();
  useToastsOfCase(desk, name === 'deskCase' ? path : name === 'deskTickets' ? new URLSearchParams(search).get('ticket') : null);

  return (
    <>
      <Shell
        top={
          <TopBar
            name={
              <>
                {desk.environment.portalName} <span className={styles.tag}>Desk</span>
              </>
            }
            href={home}
            menuOpen={menuOpen}
            onMenu={() => setMenuOpen(true)}
            find={{
              label: 'Find an account, prefix, request or invoice',
              keys: paletteKeys(navigator.platform),
              onOpen: () => setPalette('open'),
            }}
            quick={[
              { href: '/', label: desk.environment.portalName },
              { href: '/whois', label: 'Whois' },
              { href: '/status', label: 'Status' },
            ]}
            who={
              <>
                {isConfirmed && <ConfirmedMark confirmations={desk.confirmations} />}
                <PersonMenu desk={desk} person={person} />
              </>
            }
          />
        }
        side={
          <SideNav
            label="Desk"
            narrow={wide.includes(name) && !menuOpen}
            groups={deskNavigation(own, queues, { path, filter, count, product: desk.environment.product })}
          />
        }
        footer={<DeskFooter name={desk.environment.registryName} />}
        narrow={wide.includes(name)}
        menuOpen={menuOpen}
        onMenuClose={() => setMenuOpen(false)}
      >
        <SessionEnd auth={desk.auth} />
        <ErrorBanner errors={desk.errors} />
        {view ? (
          <PageFrame page={page} key={`${name} ${path}`}>
            {view}
          </PageFrame>
        ) : (
          <NoPage path={path} />
        )}
      </Shell>
      {palette !== 'unused' && (
        <DeskPalette
          desk={desk}
          open={palette === 'open'}
          onClose={() => setPalette('closed')}
          onLost={() => setPalette('unused')}
          pages={own.map(place => ({ id: place.name, text: place.label, icon: place.icon, href: pages[place.name].path }))}
        />
      )}
      <DeskKeys />
      <ToastRegion toasts={desk.toasts} />
    </>
  );
}

/** The number of open requests, and the queues of the navigation: read again while the window has the focus, and after every decision. */
function useQueues(desk: BrowserApp): { count: number; queues: Queue[] } {
  const may = useMay();
  const mayRead = may(deskCalls.listRequests);
  const { data } = useQuery({
    ...reading(desk.call, deskCalls.listRequests, { query: { limit: 1 } }),
    enabled: mayRead,
    refetchInterval: MINUTE_MS,
    refetchOnWindowFocus: true,
  });
  const saved = useQuery({
    ...reading(desk.call, staffQueues.listQueues, {}),
    enabled: mayRead && data !== undefined,
    staleTime: MINUTE_MS,
  });
  const usual = usualQueues({ late: data?.late ?? 0, waitingOnMembers: data?.counts.states['needs-info'] ?? 0 });
  const own = (saved.data?.queues ?? []).map(({ name, filter }): Queue => ({ label: name, filter, icon: 'filter' }));
  return {
    count: Object.values(data?.waiting ?? {}).reduce((sum, each) => sum + each, 0),
    queues: mayRead ? [...usual, ...own] : [],
  };
}

/** Returns the number of a case in its address: an address by another kind, `resources-10` for `transfers-10`, leads to the same case. */
const numberOf = (shown: string): string => shown.replace(/^.*[-/]/, '');

/** Ends what was said of a case once the next one is on the screen: it would be read as said of that one. @param shown the case on the screen; null for none */
function useToastsOfCase({ toasts }: BrowserApp, shown: string | null): void {
  const last = useRef(shown);
  useEffect(() => {
    if (last.current !== null && shown !== null && numberOf(last.current) !== numberOf(shown))
      for (const { toastId, kind, stays } of toasts.list()) if (kind !== 'error' && !stays) toasts.dismiss(toastId);
    last.current = shown;
  }, [toasts, shown]);
}

/** The palette: shown when it is first opened, and loaded before. What is typed for it while it loads would be taken for keys of the page. */
function usePalette() {
  const state = useState<'unused' | 'open' | 'closed'>('unused');
  const [, setPalette] = state;
  useEffect(() => onPaletteKey(() => setPalette('open')), [setPalette]);
  useEffect(() => void loadAhead([() => Promise.resolve(DeskPalette.ahead())]), []);
  return state;
}

/** The keys that work on every page of the desk: the list of those of the page, and the way out of a field. */
function DeskKeys() {
  const [list, setList] = useState<'unused' | 'open' | 'closed'>('unused');
  useDeskKeys({ '?': () => setList('open') });
  useLeavingFields();
  if (list === 'unused') return null;
  return (
    <KeysHelp
      open={list === 'open'}
      onClose={() => setList('closed')}
      onLost={() => setList('unused')}
      find={paletteKeys(navigator.platform)}
    />
  );
}
