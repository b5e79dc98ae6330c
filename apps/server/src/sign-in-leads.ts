import { findPage, type PageName } from '@portal/contract/pages';

/** Words of the form at pages that people open from an e-mail, often before they have a login. */
const leads: Partial<Record<PageName, string>> = {
  acceptInvitation:
    'You’re invited to an account. Log in to see who invites you and as what, or register with the address that got the invitation.',
  addAccount: 'Membership begins with a login of your own: log in, or register first.',
};

/** Says why an address asks for a sign-in, where its visitor wouldn't know; null for all others. */
export const signInLead = (url: string, product: string): string | null => leads[findPage(url.split('?', 1)[0]!, product).name] ?? null;
