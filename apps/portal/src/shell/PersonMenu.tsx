import { PersonButton, type Session } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import type { Claims } from '@portal/app-kit/auth/stored-user';
import { displayName } from '@portal/contract/display-name';
import { linkKind } from '@portal/contract/link';
import type { Environment } from '@portal/contract/shell/shell';
import type { IconName } from '@portal/ui';
import type { Portal } from '../portal.ts';
import styles from './PortalTopBar.module.css';
import type { Theme } from './theme-links.ts';
import { useTopBarPopover } from './top-bar-popover.ts';

const MenuPopover = optionalPart(() => import('@portal/ui/overlay/Menu'), 'MenuPopover');

type PersonLink = { label_en_us: string; link: string; isLogout?: boolean | undefined };
const linkIcon = (link: PersonLink): IconName => (link.isLogout ? 'sign-out' : 'arrow-right');

/** Returns the person in the identity token, until the registry has answered; null if it has none. */
export function personNamed(claims: Claims, { mfaAmr, mfaAcr }: Pick<Environment, 'mfaAmr' | 'mfaAcr'>): PersonShown | null {
  const name = displayName(claims);
  if (name === '') return null;
  const mfa = (claims.amr ?? []).some(method => mfaAmr.includes(method)) || mfaAcr.includes(claims.acr ?? '');
  return { name, fullName: claims.full_name || claims.name || name, email: claims.email ?? '', mfa, staff: false };
}

type PersonShown = Pick<Session['person'], 'name' | 'fullName' | 'email' | 'mfa' | 'staff'>;

/** "Hello, {name}!" with role and sign-in; opens the account and membership links, of which the last is logout. */
export function PersonMenu({ portal, person, role, theme }: { portal: Portal; person: PersonShown; role: string; theme: Theme | null }) {
  const { isWanted, button, popover } = useTopBarPopover(MenuPopover.ahead);
  const groups: readonly (readonly PersonLink[])[] = [
    theme?.omnibarCurrentUserAccountLinks ?? [],
    membershipLinks(theme, portal.environment.singleLogoutUrl),
  ];
  const entries = groups.map((links, group) => ({
    items: links.map((link, index) => ({ id: `${group}.${index}`, label: link.label_en_us, icon: linkIcon(link) })),
  }));
  const follow = (id: string) => {
    const [group = 0, index = 0] = id.split('.').map(Number);
    const link = groups[group]?.[index];
    if (!link) return;
    const kind = linkKind(link.link);
    if (kind === 'in-app') portal.router.go(link.link);
    else if (kind !== 'refused') window.location.assign(link.link);
  };
  return (
    <>
      <PersonButton person={person} note={role} {...button} />
      {isWanted && (
        <MenuPopover
          {...popover}
          label="Your login and membership"
          groups={entries.filter(entry => entry.items.length > 0)}
          onAct={follow}
          head={
            <div className={styles.person}>
              <b>{person.fullName}</b>
              <span>{person.email}</span>
              <span>{role}</span>
            </div>
          }
        />
      )}
    </>
  );
}

/** The membership links; the last is logout and leads to the single-logout address, regardless of the theme, or without it. */
export function membershipLinks(theme: Pick<Theme, 'omnibarCurrentUserMembershipLinks'> | null, singleLogoutUrl: string): PersonLink[] {
  const links = theme?.omnibarCurrentUserMembershipLinks ?? [];
  const logout = links.find(link => link.isLogout);
  return [
    ...links.filter(link => !link.isLogout),
    { label_en_us: logout?.label_en_us ?? 'Log out', link: singleLogoutUrl, isLogout: true },
  ];
}
