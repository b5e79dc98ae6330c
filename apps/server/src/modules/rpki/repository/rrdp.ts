/** A file that appeared, changed or went. `before`: the old SHA-256; `after`: the new content. */
export type FileChange = { uri: string; before: Uint8Array | null; after: Uint8Array | null };

type Version = { sessionId: string; serial: number };
type Named = { uri: string; sha256: string };

const namespace = 'xmlns="http://www.ripe.net/rpki/rrdp" version="1"';
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const head = (element: string, { sessionId, serial }: Version): string =>
  `<${element} ${namespace} session_id="${sessionId}" serial="${serial}">\n`;

/** One file in a snapshot (RFC 8182, section 3.5.2). Addresses are ours and contain nothing that XML would have to escape. */
export const snapshotLine = (uri: string, content: Uint8Array): string =>
  `<publish uri="${uri}">${Buffer.from(content).toString('base64')}</publish>\n`;
export const snapshotHead = (version: Version): string => head('snapshot', version);
export const snapshotEnd = '</snapshot>\n';

/** Prints the changes since the previous serial (RFC 8182, section 3.5.3): an existing file carries the hash of its previous version. */
export function printDelta(version: Version, changes: readonly FileChange[]): string {
  const lines = changes.map(({ uri, before, after }) => {
    const hash = before === null ? '' : ` hash="${hex(before)}"`;
    return after === null
      ? `<withdraw uri="${uri}"${hash}/>\n`
      : `<publish uri="${uri}"${hash}>${Buffer.from(after).toString('base64')}</publish>\n`;
  });
  return `${head('delta', version)}${lines.join('')}</delta>\n`;
}

/** Prints the file that relying parties poll (RFC 8182, section 3.5.1). Deltas: newest first. */
export function printNotification(version: Version, snapshot: Named, deltas: readonly (Named & { serial: number })[]): string {
  const lines = deltas.map(({ serial, uri, sha256 }) => `<delta serial="${serial}" uri="${uri}" hash="${sha256}"/>\n`);
  return `${head('notification', version)}<snapshot uri="${snapshot.uri}" hash="${snapshot.sha256}"/>\n${lines.join('')}</notification>\n`;
}

/** The session and serial of a notification that we wrote; null for anything else. */
export function versionOf(notification: string): Version | null {
  const found = /^<notification [^>]*session_id="([0-9a-f-]{36})" serial="(\d+)">/.exec(notification);
  return found ? { sessionId: found[1]!, serial: Number(found[2]) } : null;
}
