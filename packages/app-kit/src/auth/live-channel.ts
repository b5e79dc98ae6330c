/** The channel on which all tabs of a browser learn what changed, from the one that listens to the registry. */
export const liveChannel = 'portal-live';

/** Changes on the screens of a person. That a `ballot` was cast, by election, is said by the window in which it was (`apps/server/web/ballot-receipt.ts`). */
export type LiveMessage = { what: 'ticket' | 'ballot'; id: string };

/** Parses a server-sent event `live`; null for other events. */
export function readLiveMessage(event: string): LiveMessage | null {
  const data = /^event: live\r?\ndata: (.*)$/m.exec(event)?.[1];
  return data === undefined ? null : (JSON.parse(data) as LiveMessage);
}
