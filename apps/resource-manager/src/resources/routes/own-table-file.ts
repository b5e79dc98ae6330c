import { containsResource, parsePrefix, parseResource, readMrtTable, resourceSetOf, ResourceSyntaxError } from '@portal/number-resources';

/** A file larger than this is not read: a table of your own routers is far smaller. */
export const maxFileBytes = 200 * 1024 * 1024;
/** Maximum number of unreadable lines that are sent anyway, so that the registry reports what is wrong with them. */
const maxUnread = 100;

/** The part of a file that is sent: only what lies inside the account's space leaves the browser. */
export type OwnTableFile = { text: string; inside: number; outside: number };

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/**
 * Reads a table of announcements: lines of text, a RIS whois dump, or an MRT table (TABLE_DUMP_V2), compressed with gzip or not.
 * @throws {Error} in a sentence, when it is none of them
 */
export async function readOwnTable(file: Blob, space: readonly string[]): Promise<OwnTableFile> {
  const bytes = await unpacked(new Uint8Array(await file.arrayBuffer()));
  const held = resourceSetOf(space.map(parseResource));
  const isInside = (prefix: string): boolean => containsResource(held, parsePrefix(prefix));
  const lines: string[] = [];
  let outside = 0;
  let unread = 0;
  // The fifth and sixth byte are the type of an MRT record; everything else is text.
  if (/[^\t\r\n\x20-\x7e]/.test(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))) {
    for (const { prefix, asn, peers } of readMrtTable(bytes))
      if (asn === null || !isInside(prefix)) outside++;
      else lines.push(`${prefix} AS${asn} ${peers}`);
    return { text: lines.join('\n'), inside: lines.length, outside };
  }
  for (const raw of new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)) {
    const line = raw.trim();
    if (line === '' || /^[#%]/.test(line)) continue;
    const prefix = /[0-9a-f.:]+\/\d{1,3}/i.exec(line)?.[0];
    try {
      if (prefix === undefined || isInside(prefix)) {
        if (prefix !== undefined || unread++ < maxUnread) lines.push(line);
      } else outside++;
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      if (unread++ < maxUnread) lines.push(line);
    }
  }
  return { text: lines.join('\n'), inside: lines.length, outside };
}
