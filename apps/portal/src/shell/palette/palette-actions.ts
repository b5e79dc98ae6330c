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
  const list: PaletteAction[] = [];
  const offer = (allowed: boolean, action: PaletteAction): void => {
    if (allowed) list.push(action);
  };
  const may = (subject: Parameters<typeof refusedBy>[0]): boolean => session?.account != null && refusedBy(subject, session) === null;
  if (!session) return list;

  offer(may(contacts.inviteContact), {
    id: 'action invite',
    text: 'Invite a contact',
    words: 'add person user colleague billing technical',
    icon: 'plus',
    href: `${contactsPage}?invite=yes`,
    isLikely: true,
  });
  offer(may(whois.submitUpdates), {
    id: 'action object',
    text: 'New whois object',
    words: 'create add route inetnum person role irt',
    icon: 'plus',
    href: '/resources/whois-updates-js/all?new=',
  });
  offer(may(whois.submitUpdates), {
    id: 'action replace',
    text: 'Replace a value in whois objects',
    words: 'bulk change abuse mailbox all networks attribute update',
    icon: 'edit',
    href: '/resources/whois-attribute-update',
  });
  offer(may(whoisCustomers.addAssignment), {
    id: 'action assign',
    text: 'Assign space to a customer',
    words: 'new assignment register',
    icon: 'plus',
    href: '/resources/customers/customer_management?add=yes',
    isLikely: true,
  });
  offer(may(documents.addDocument), {
    id: 'action document',
    text: 'Add a document',
    words: 'upload file',
    icon: 'plus',
    href: '/member-account-settings/documents?add=document',
  });
  offer(Boolean(session.account?.contactTypes.includes('corporate')), {
    id: 'action two-factor',
    text: 'Require two-factor for everyone',
    words: 'mfa 2fa security second factor',
    icon: 'shield',
    href: `${contactsPage}?view=safety`,
  });
  const { profileUrl } = portal.environment;
  const login = profileUrl.endsWith('/account') ? profileUrl : null;
  offer(login !== null, {
    id: 'action password',
    text: 'Change password',
    words: 'login security',
    icon: 'key',
    href: `${login}/password`,
  });
  offer(login !== null, {
    id: 'action factors',
    text: session.person.hasSecondFactor ? 'Manage two-factor authentication' : 'Turn on two-factor authentication',
    words: 'mfa 2fa passkey authenticator recovery codes',
    icon: 'shield',
    href: `${login}/factors`,
    isLikely: !session.person.hasSecondFactor,
  });
  offer(login !== null, {
    id: 'action sessions',
    text: 'View sessions',
    words: 'login devices sign out',
    icon: 'clock',
    href: `${login}/sessions`,
  });
  const preferences = portal.preferencesOf(session.person);
  for (const [theme, text] of Object.entries(themes) as [keyof typeof themes, string][])
    list.push({
      id: `action ${theme}`,
      text,
      words: 'appearance mode colours',
      icon: 'columns',
      act: () => preferences.change({ theme }),
    });
  list.push({ id: 'action time zone', text: 'Change time zone', words: 'settings clock', icon: 'columns', href: '/settings' });
  list.push({
    id: 'action e-mail',
    text: 'Change notification settings',
    words: 'e-mail digest unsubscribe',
    icon: 'columns',
    href: '/settings#notifications',
  });
  list.push({
    id: 'action log out',
    text: 'Log out',
    words: 'sign out',
    icon: 'arrow-right',
    act: () => void portal.auth.signOut({ byPerson: true }),
  });
  return list;
}
