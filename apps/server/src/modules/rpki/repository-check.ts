import { setImmediate as breathe } from 'node:timers/promises';
import { printPrefix, type Vrp } from '@portal/number-resources';
import { judgeAuthority, judgeTrustAnchor, type PublishedFile } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { nodeCryptography } from './cryptography.ts';

/**
 * Validates the whole repository in the database as a relying party would, from its bytes and not from what members want: one authority after the other, so that
 * others get their turn. Returns the VRPs, and a sentence for each problem.
 */
export async function readRepository(read: Read, now: Date): Promise<{ vrps: Vrp[]; problems: string[] }> {
  const rows = await read.rows<{ uri: string; kind: string; content: Buffer; sha256: Buffer }>(
    sql`select uri, kind, content, sha256 from rpki_object`,
  );
  const [anchor] = await read.rows<{ publicKey: Buffer }>(
    sql`select k.public_key from rpki_key k join rpki_ca c using (ca_id) where c.kind = 'trust-anchor' and k.state = 'current'`,
  );
  const trustAnchor = rows.find(({ kind }) => kind === 'trust-anchor');
  if (!anchor || !trustAnchor) return { vrps: [], problems: [] };
  const files = new Map<string, PublishedFile>(rows.map(({ uri, content, sha256 }) => [uri, { bytes: content, sha256 }]));
  const judging = { now, cryptography: nodeCryptography };
  const found: { vrps: Vrp[]; problems: string[] } = { vrps: [], problems: [] };
  const due = [judgeTrustAnchor(trustAnchor.content, anchor.publicKey, judging)];
  for (let authority = due.pop(); authority !== undefined; authority = due.pop()) {
    const { vrps, authorities, problems } = judgeAuthority(authority, files, judging);
    found.vrps.push(...vrps.map(({ prefix, asNumber, maxLength }) => ({ prefix: printPrefix(prefix), asn: asNumber, maxLength })));
    found.problems.push(...problems.map(({ uri, problem }) => `${uri}: ${problem}`));
    due.push(...authorities);
    await breathe();
  }
  return found;
}

/** The number of VRPs of the published repository, and its problems. */
export async function checkRepository(read: Read, now: Date): Promise<{ vrps: number; problems: string[] }> {
  const { vrps, problems } = await readRepository(read, now);
  return { vrps: vrps.length, problems };
}
