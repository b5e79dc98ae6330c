import { type BrowserApp, onPaletteKey, PageFrame, paletteKeys, reading, usePlace } from '@portal/app-kit';
import { loadAhead } from '@portal/app-kit/first/ahead';
import { ErrorBanner } from '@portal/app-kit/page/ErrorBanner';
import { optionalPart } from '@portal/app-kit/page/later';
import { SessionEnd } from '@portal/app-kit/page/SessionEnd';
import { MINUTE_MS } from '@portal/contract/days';
import type { Person } from '@portal/contract/identity/people';
import { findPage, type PageName, pages } from '@portal/contract/pages';
import { desk as deskCalls } from '@portal/contract/staff/desk';
import { type IconName, Shell, SideNav, ToastRegion, TopBar } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { NoPage } from '../NoPage.tsx';
import { views } from '../views.ts';
import { useDeskKeys, useLeavingFields } from './cases/desk-keys.ts';
import { PersonMenu } from './PersonMenu.tsx';
import { useMay } from './use-may.ts';

const DeskPalette = optionalPart(() => import('./DeskPalette.tsx'), 'DeskPalette');

const KeysHelp = optionalPart(() => import('./KeysHelp.tsx'), 'KeysHelp');

const ConfirmedMark = optionalPart(() => import('@portal/app-kit/step-up/ConfirmedMark'), 'ConfirmedMark');

const places: readonly { name: PageName; label: string; icon: IconName }[] = [
  { name: 'deskHome', label: 'Desk', icon: 'home' },
  { name: 'deskRequests', label: 'Requests', icon: 'inbox' },
  { name: 'deskAccounts', label: 'Accounts', icon: 'building' },
  { name: 'deskApprovals', label: 'Second approvals', icon: 'check' },
  { name: 'deskTickets', label: 'Tickets', icon: 'ticket' },
  { name: 'deskReplyTemplates', label: 'Reply templates', icon: 'edit' },
  { name: 'deskPools', label: 'Pools', icon: 'resources' },
  { name: 'deskLameServers', label: 'Lame name servers', icon: 'reverse' },
  { name: 'deskDataQuality', label: 'Data quality', icon: 'valid' },
  { name: 'deskRegistryData', label: 'Registry data', icon: 'whois' },
  { name: 'deskRpki', label: 'RPKI', icon: 'shield' },
  { name: 'deskMemberships', label: 'Memberships', icon: 'clock' },
  { name: 'deskBoard', label: 'Board report', icon: 'chart' },
  { name: 'deskPolicy', label: 'Policy', icon: 'columns' },
  { name: 'deskFeatures', label: 'Features', icon: 'filter' },
  { name: 'deskLegal', label: 'Legal texts', icon: 'document' },
  { name: 'deskPrivacy', label: 'Privacy', icon: 'lock' },
  { name: 'deskFees', label: 'Fees', icon: 'chart' },
  { name: 'deskPayments', label: 'Payments', icon: 'billing' },
  { name: 'deskBooks', label: 'Books', icon: 'document' },
  { name: 'deskElections', label: 'Elections', icon: 'vote' },
  { name: 'deskEvents', label: 'Events', icon: 'calendar' },
  { name: 'deskAnnouncements', label: 'Announcements', icon: 'bell' },
  { name: 'deskBrand', label: 'Brand', icon: 'edit' },
  { name: 'deskMailTexts', label: 'Mail texts', icon: 'mail' },
  { name: 'deskSetAside', label: 'Set aside', icon: 'warning' },
  { name: 'deskPeople', label: 'Find a person', icon: 'contacts' },
  { name: 'deskStaff', label: 'Staff and roles', icon: 'user' },
];

/** Pages that are not in the navigation, by the entry they belong to. */
const under: Partial<Record<PageName, PageName>> = { deskAccount: 'deskAccounts', deskCase: 'deskRequests', deskPool: 'deskPools' };
/** Pages that need the width of the navigation. */
const wide: readonly PageName[] = ['deskCase'];

/** The frame of every page of the desk: place, person, and open requests. */
export function DeskShell({ desk, person }: { desk: BrowserApp; person: Person }) {
  const { path } = usePlace();
  const isConfirmed = useSyncExternalStore(desk.confirmations.subscribe, desk.confirmations.get).length > 0;
  const [menuOpen, setMenuOpen] = useState(false);
  const { name, page } = findPage(path, desk.environment.product);
  const may = useMay();
  // Without a role that counts now, only the way to one exists.
  const view =
    page.access.who === 'staff' && person.staffPermissions.length === 0 && name !== 'deskOwnRoles' ? null : views.elementOf(name);
  const own = places.filter(place => may(pages[place.name]));
  const home = pages[own[0]?.name ?? 'deskOwnRoles'].path;
  const { router } = desk;
  // Without a role there is nothing to begin with but the way to one.
  useEffect(() => {
    if (path === pages.deskHome.path && home !== path) router.go(home, { replace: true });
  }, [path, home, router]);
  // Looked at again while the window has the focus, and after every decision.
  const waiting = useQuery({
    ...reading(desk.call, deskCalls.listRequests, { query: { limit: 1 } }),
    enabled: may(deskCalls.listRequests),
    refetchInterval: MINUTE_MS,
    refetchOnWindowFocus: true,
  });
  const count = Object.values(waiting.data?.waiting ?? {}).reduce((sum, each) => sum + each, 0);
  const current = under[name] ?? name;
  const [palette, setPalette] = usePalette();

  return (
    <>
      <Shell
        top={
          <TopBar
            name={`${desk.environment.portalName} desk`}
            href={home}
            menuOpen={menuOpen}
            onMenu={() => setMenuOpen(true)}
            find={{
              label: 'Find an account, prefix, request or invoice',
              keys: paletteKeys(navigator.platform),
              onOpen: () => setPalette('open'),
            }}
            quick={[{ href: '/', label: desk.environment.portalName }]}
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
            groups={[
              {
                label: 'Desk',
                items: own.map(({ name: place, label, icon }) => ({
                  href: pages[place].path,
                  label,
                  icon,
                  current: place === current,
                  ...(place === 'deskRequests' && { count, countLabel: 'waiting' }),
                })),
              },
            ]}
          />
        }
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
