import { linkKind } from '../link.ts';

/** Where the provider leads whoever signed out of the portal: LOGOUT_URL when it is an address, otherwise the start of the portal. */
export const signedOutUrl = ({ appUrl, logoutUrl }: { appUrl: string; logoutUrl: string }): string =>
  linkKind(logoutUrl) === 'page' ? logoutUrl : `${appUrl}/`;
