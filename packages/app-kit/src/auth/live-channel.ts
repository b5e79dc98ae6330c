/** The channel on which all tabs of a browser learn what changed, from the one that listens to the registry. */
export const liveChannel = 'portal-live';

/** Changes on the screens of a person. */
export type LiveMessage = { what: 'ticket'; id: string };

/** Parses a server-sent event `live`; null for other events. */
export function readLiveMessage(event: string): LiveMessage | null {
  const data = /^event: live\r?\ndata: (.*)$/m.exec(event)?.[1];
  return data === undefined ? null : (JSON.parse(data) as LiveMessage);
}
