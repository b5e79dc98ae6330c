import { judgeRepository, type PublishedFile } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { nodeCryptography } from './cryptography.ts';

/** Validates the whole repository in the database as a relying party would. Returns the number of VRPs, and a sentence for each problem. */
export async function checkRepository(read: Read, now: Date): Promise<{ vrps: number; problems: string[] }> {
  const rows = await read.rows<{ uri: string; kind: string; content: Buffer; sha256: Buffer }>(
    sql`select uri, kind, content, sha256 from rpki_object`,
  );
  const [anchor] = await read.rows<{ publicKey: Buffer }>(
    sql`select k.public_key from rpki_key k join rpki_ca c using (ca_id) where c.kind = 'trust-anchor' and k.state = 'current'`,
  );
  const trustAnchor = rows.find(({ kind }) => kind === 'trust-anchor');
  if (!anchor || !trustAnchor) return { vrps: 0, problems: [] };
  const files = new Map<string, PublishedFile>(rows.map(({ uri, content, sha256 }) => [uri, { bytes: content, sha256 }]));
  const { vrps, problems } = judgeRepository(trustAnchor.content, anchor.publicKey, files, { now, cryptography: nodeCryptography });
  return { vrps: vrps.length, problems: problems.map(({ uri, problem }) => `${uri}: ${problem}`) };
}
