/** The channel on which the tabs of a browser learn that a session is over. */
export const signOutChannel = 'portal-session';

/** Notifies the tabs of a session that it is over, once the provider has ended it. */
export function broadcastSignOut(session: string): void {
  const tabs = new BroadcastChannel(signOutChannel);
  tabs.postMessage({ signedOut: session });
  tabs.close();
}
