/** The channel on which all tabs of a browser hear what changed, from the one that listens to the registry. */
export const liveChannel = 'portal-live';

/** News for the screens of a person. */
export type LiveMessage = { what: 'ticket'; id: string };

/** Returns the news of a server-sent event `live`; null for other events. */
export function readLiveMessage(event: string): LiveMessage | null {
  const data = /^event: live\r?\ndata: (.*)$/m.exec(event)?.[1];
  return data === undefined ? null : (JSON.parse(data) as LiveMessage);
}
