import { refusedBy, type Session } from '@portal/app-kit';
import { contacts } from '@portal/contract/contacts/contacts';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { documents } from '@portal/contract/documents/documents';
import { whois } from '@portal/contract/whois/whois';
import type { PaletteItem } from '@portal/ui/picker/CommandPalette';
import type { Portal } from '../../portal.ts';

export type PaletteAction = PaletteItem & {
  /** Shown before anything is typed. */
  isLikely?: boolean;
  /** Runs instead of navigating. */
  act?: () => void;
};

const contactsPage = '/member-account-settings/account-contacts';
const themes = { light: 'Light theme', dark: 'Dark theme', system: 'Same theme as this device' } as const;

/** Actions that are offered everywhere: those the person may do. */
export function paletteActions(portal: Portal, session: Session | null): PaletteAction[] {
  return session ? [...changesOf(session), ...loginActions(portal, session), ...settingsActions(portal, session)] : [];
}

function changesOf(session: Session): PaletteAction[] {
  const may = (subject: Parameters<typeof refusedBy>[0]): boolean => session.account != null && refusedBy(subject, session) === null;
  const offered: (PaletteAction & { allowed: boolean })[] = [
    {
      allowed: may(contacts.inviteContact),
      id: 'action invite',
      text: 'Invite a contact',
      words: 'add person user colleague billing technical',
      icon: 'plus',
      href: `${contactsPage}?invite=yes`,
      isLikely: true,
    },
    {
      allowed: may(whois.submitUpdates),
      id: 'action object',
      text: 'New whois object',
      words: 'create add route inetnum person role irt',
      icon: 'plus',
      href: '/resources/whois-updates-js/all?new=',
    },
    {
      allowed: may(whois.submitUpdates),
      id: 'action replace',
      text: 'Replace a value in whois objects',
      words: 'bulk change abuse mailbox all networks attribute update',
      icon: 'edit',
      href: '/resources/whois-attribute-update',
    },
    {
      allowed: may(whoisCustomers.addAssignment),
      id: 'action assign',
      text: 'Assign space to a customer',
      words: 'new assignment register',
      icon: 'plus',
      href: '/resources/customers/customer_management?add=yes',
      isLikely: true,
    },
    {
      allowed: may(documents.addDocument),
      id: 'action document',
      text: 'Add a document',
      words: 'upload file',
      icon: 'plus',
      href: '/member-account-settings/documents?add=document',
    },
    {
      allowed: Boolean(session.account?.contactTypes.includes('corporate')),
      id: 'action two-factor',
      text: 'Require two-factor for everyone',
      words: 'mfa 2fa security second factor',
      icon: 'shield',
      href: `${contactsPage}?view=safety`,
    },
  ];
  return offered.flatMap(({ allowed, ...action }) => (allowed ? [action] : []));
}

/** Pages of the login; none with another provider. */
function loginActions({ environment: { profileUrl } }: Portal, { person }: Session): PaletteAction[] {
  if (!profileUrl.endsWith('/account')) return [];
  return [
    {
      id: 'action password',
      text: 'Change password',
      words: 'login security',
      icon: 'key',
      href: `${profileUrl}/password`,
    },
    {
      id: 'action factors',
      text: person.hasSecondFactor ? 'Manage two-factor authentication' : 'Turn on two-factor authentication',
      words: 'mfa 2fa passkey authenticator recovery codes',
      icon: 'shield',
      href: `${profileUrl}/factors`,
      isLikely: !person.hasSecondFactor,
    },
    {
      id: 'action sessions',
      text: 'View sessions',
      words: 'login devices sign out',
      icon: 'clock',
      href: `${profileUrl}/sessions`,
    },
  ];
}

function settingsActions({ preferencesOf, auth }: Portal, { person }: Session): PaletteAction[] {
  const preferences = preferencesOf(person);
  return [
    ...(Object.entries(themes) as [keyof typeof themes, string][]).map(([theme, text]) => ({
      id: `action ${theme}`,
      text,
      words: 'appearance mode colours',
      icon: 'columns' as const,
      act: () => preferences.change({ theme }),
    })),
    { id: 'action time zone', text: 'Change time zone', words: 'settings clock', icon: 'columns', href: '/settings' },
    {
      id: 'action e-mail',
      text: 'Change notification settings',
      words: 'e-mail digest unsubscribe',
      icon: 'columns',
      href: '/settings#notifications',
    },
    {
      id: 'action log out',
      text: 'Log out',
      words: 'sign out',
      icon: 'arrow-right',
      act: () => void auth.signOut({ byPerson: true }),
    },
  ];
}
