import { optionalPart } from '@portal/app-kit/page/later';
import { useSyncExternalStore } from 'react';
import { paletteKeys, useMaybeSession } from '@portal/app-kit';
import { hasHighLatency } from '@portal/app-kit/first/connection';
import type { SignedInUser } from '@portal/app-kit/auth/stored-user';
import { Button, TopBar } from '@portal/ui';
import type { Portal } from '../portal.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import { Bell } from './Bell.tsx';
import { PersonMenu, personNamed } from './PersonMenu.tsx';
import { roleWords } from './role-words.ts';
import type { Theme } from './theme-links.ts';

const Talk = optionalPart(() => import('./talk/Talk.tsx'), 'Talk');
const ConfirmedMark = optionalPart(() => import('@portal/app-kit/step-up/ConfirmedMark'), 'ConfirmedMark');

type Props = { portal: Portal; path: string; user: SignedInUser | null; theme: Theme | null; menuOpen: boolean; onMenu: () => void };

/** The top bar: brand, search, quick links, account and person; for anonymous people Log in and Register. */
export function PortalTopBar({ portal, path, user, theme, menuOpen, onMenu }: Props) {
  const session = useMaybeSession();
  const isConfirmed = useSyncExternalStore(portal.confirmations.subscribe, portal.confirmations.get).length > 0;
  const signedIn = user !== null;
  const whole = useSyncExternalStore(portal.whole.subscribe, portal.whole.get);
  const talks = session && whole && !session.account?.asStaff && !portal.environment.chat;
  const { portalName } = portal.environment;
  // On a fast connection the registry answers before it could be read.
  const person = session?.person ?? (user && hasHighLatency() ? personNamed(user.claims, portal.environment) : null);
  return (
    <TopBar
      name={portalName}
      href="/"
      menuOpen={menuOpen}
      {...(signedIn && {
        onMenu,
        find: {
          label: 'Find a prefix, AS number, object, invoice',
          keys: paletteKeys(navigator.platform),
          onOpen: () => portal.palette.set(true),
        },
      })}
      // In the person's menu, because the name would displace them.
      {...(theme &&
        (session || !signedIn) && { quick: theme.omnibarQuickLinks.map(link => ({ href: link.link, label: link.label_en_us })) })}
      help={`/help/for?page=${encodeURIComponent(path)}`}
      who={
        person ? (
          <>
            {isConfirmed && <ConfirmedMark confirmations={portal.confirmations} />}
            {talks && <Talk key={session.account?.accountName} />}
            {session && <Bell portal={portal} />}
            {session && <AccountSwitcher session={session} />}
            <PersonMenu portal={portal} person={person} role={roleWords(person, session?.account ?? null)} theme={theme} />
          </>
        ) : (
          !signedIn && (
            <>
              <Button onClick={() => portal.signIn()}>Log in</Button>
              <Button onClick={() => portal.signIn({ create: true })}>Register</Button>
            </>
          )
        )
      }
    />
  );
}
