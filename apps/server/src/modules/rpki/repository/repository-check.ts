import { setImmediate as breathe } from 'node:timers/promises';
import { printPrefix, type Vrp } from '@portal/number-resources';
import { authoritiesInTurn, validatingAuthority, validateTrustAnchor, type PublishedFile, printHex } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { inStream, type Read } from '../../../platform/database/index.ts';
import { nodeCryptography } from '../authorities/cryptography.ts';

/** The result of validating the repository: VRPs below the trust anchor, those of unallocated space (AS0) separately, and a sentence for each problem. */
export type ReadRepository = { vrps: Vrp[]; unallocated: Vrp[]; problems: string[] };

/**
 * Validates the whole repository in the database as a relying party would, from its bytes and not from the rows, a few files at a time, so that
 * other work can run in between. @param others whether members' own authorities are `judged` already, in a thread, or `read` here, for commands that do nothing else
 */
export async function readRepository(read: Read, now: Date, others: 'judged' | 'read' = 'judged'): Promise<ReadRepository> {
  const rows = await read.rows<{ uri: string; kind: string; content: Buffer; sha256: Buffer }>(
    sql`select uri, kind, content, sha256 from rpki_object where child_id is null or ${others === 'read'}`,
  );
  const anchors = await read.rows<{ kind: 'trust-anchor' | 'as0'; publicKey: Buffer; content: Buffer }>(
    sql`select c.kind, k.public_key, o.content from rpki_key k join rpki_ca c using (ca_id) join rpki_object o on o.key_id = k.key_id and o.kind = 'trust-anchor'
      where k.state = 'current' and c.kind in ('trust-anchor', 'as0')`,
  );
  const files = new Map<string, PublishedFile>(rows.map(({ uri, content, sha256 }) => [uri, { bytes: content, sha256 }]));
  const children = await read.rows<{ keyIdentifier: string }>(sql`select key_identifier from rpki_child_key where certificate is not null`);
  /** Keys of others, who publish here or elsewhere. */
  const othersKeys = new Set(children.map(({ keyIdentifier }) => keyIdentifier));
  const options = { now, cryptography: nodeCryptography };
  /** They are read by the RFCs, as validators do; this registry's own objects have one form only. */
  const levelOf = (isOthers: boolean) => ({ ...options, level: isOthers ? ('rfc' as const) : ('own' as const) });
  const found: ReadRepository = { vrps: [], unallocated: [], problems: [] };
  for (const { kind, content, publicKey } of anchors) {
    const into = kind === 'as0' ? found.unallocated : found.vrps;
    const turns = authoritiesInTurn([validateTrustAnchor(content, publicKey, options)]);
    for (let authority = turns.next(); authority !== undefined; authority = turns.next()) {
      const isOthers = othersKeys.has(printHex(authority.subjectKeyId));
      if (isOthers && others === 'judged') continue;
      const { vrps, authorities, problems } = await resultOf(validatingAuthority(authority, files, levelOf(isOthers)));
      if (isOthers) for (const { subjectKeyId } of authorities) othersKeys.add(printHex(subjectKeyId));
      into.push(...vrps.map(({ prefix, asNumber, maxLength }) => ({ prefix: printPrefix(prefix), asn: asNumber, maxLength })));
      if (!isOthers) found.problems.push(...problems.map(({ uri, problem }) => `${uri}: ${problem}`));
      turns.below(authority, authorities);
    }
  }
  if (others === 'judged') for (const vrp of await judgedVrps(read)) found.vrps.push(vrp);
  return found;
}

/** How long, in ms, files are validated before other work runs. */
const TURN_MS = 2;

/** Takes the steps of a validation, with pauses for other work: one authority may have tens of thousands of files. */
async function resultOf<T>(steps: Generator<undefined, T>): Promise<T> {
  await breathe();
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < TURN_MS) continue;
    await breathe();
    since = performance.now();
  }
}

/** Returns the ROA payloads that validators derive from members' own authorities, by the last judgement. */
const judgedVrps = (read: Read): Promise<Vrp[]> =>
  inStream(read, sql<Vrp>`select distinct prefix::text as prefix, asn, max_length from rpki_child_vrp`);

/** The number of VRPs of the published repository, those of unallocated space separately, and its problems. */
export async function checkRepository(read: Read, now: Date): Promise<{ vrps: number; unallocated: number; problems: string[] }> {
  const { vrps, unallocated, problems } = await readRepository(read, now, 'read');
  return { vrps: vrps.length, unallocated: unallocated.length, problems };
}
