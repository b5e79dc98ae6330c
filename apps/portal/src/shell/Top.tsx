import { paletteKeys, useMaybeSession } from '@portal/app-kit';
import { Button, TopBar } from '@portal/ui';
import type { Portal } from '../portal.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import { Bell } from './Bell.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import type { Theme } from './theme-links.ts';

type Props = { portal: Portal; signedIn: boolean; theme: Theme | null; menuOpen: boolean; onMenu: () => void };

/** The top bar: brand, search, quick links, account and person; for anonymous people Log in and Register. */
export function Top({ portal, signedIn, theme, menuOpen, onMenu }: Props) {
  const session = useMaybeSession();
  const { product } = portal.environment;
  return (
    <TopBar
      name={`My${product}`}
      href="/"
      menuOpen={menuOpen}
      {...(signedIn && {
        onMenu,
        find: { label: 'Find anything', keys: paletteKeys(navigator.platform), onOpen: () => portal.palette.set(true) },
      })}
      // In the person's menu, because the name would push them aside.
      {...(theme &&
        (session || !signedIn) && { quick: theme.omnibarQuickLinks.map(link => ({ href: link.link, label: link.label_en_us })) })}
      who={
        session ? (
          <>
            <Bell portal={portal} />
            <AccountSwitcher session={session} />
            <PersonMenu portal={portal} session={session} theme={theme} />
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
