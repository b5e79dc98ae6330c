import { linkKind } from '../link.ts';

/** Returns the address after sign-out from the portal: LOGOUT_URL if it is an address, otherwise the start of the portal. */
export const signedOutUrl = ({ appUrl, logoutUrl }: { appUrl: string; logoutUrl: string }): string =>
  linkKind(logoutUrl) === 'page' ? logoutUrl : `${appUrl}/`;
