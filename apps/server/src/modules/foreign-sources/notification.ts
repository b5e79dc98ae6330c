import { createPublicKey, verify } from 'node:crypto';
import * as z from 'zod/mini';
import type { Position } from './copies.ts';
import { SourceProblem } from './source-problem.ts';

const version = z.int().check(z.minimum(1));
const FileReference = z.object({
  version,
  url: z.string().check(z.minLength(1), z.maxLength(2_000)),
  hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)),
});
const Notification = z.object({
  nrtm_version: z.literal(4),
  timestamp: z.iso.datetime({ offset: true }),
  type: z.literal('notification'),
  next_signing_key: z.optional(z.nullable(z.string().check(z.maxLength(5_000)))),
  source: z.string(),
  session_id: z.uuid(),
  version,
  snapshot: FileReference,
  deltas: z.array(FileReference).check(z.maxLength(20_000)),
});
/** An update notification file that was verified: what there is, and under which key it came. */
export type Notification = z.infer<typeof Notification> & { signingKey: string; nextKey: string | null };

/** Returns the payload of a JWS (RFC 7515, compact) if this key signed it by ES256; null otherwise. No other algorithm is taken, whatever the header says. */
function payloadOf(jws: string, pem: string): unknown {
  const [head = '', payload = '', signature = '', ...more] = jws.trim().split('.');
  if (more.length > 0 || !/^[\w-]+$/.test(head) || !/^[\w-]+$/.test(payload) || !/^[\w-]+$/.test(signature)) return null;
  try {
    const header: unknown = JSON.parse(Buffer.from(head, 'base64url').toString());
    if (typeof header !== 'object' || header === null || (header as { alg?: unknown }).alg !== 'ES256' || 'crit' in header) return null;
    const key = { key: createPublicKey(pem), dsaEncoding: 'ieee-p1363' as const };
    if (!verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return null;
  }
}

/** The name of a file among the hashes that are remembered. */
const named = (kind: 's' | 'd', { version: number }: { version: number }): string => `${kind}${number}`;

/** The hashes of all files that a notification names. */
export const hashesOf = ({ snapshot, deltas }: Pick<Notification, 'snapshot' | 'deltas'>): Record<string, string> =>
  Object.fromEntries([[named('s', snapshot), snapshot.hash], ...deltas.map(each => [named('d', each), each.hash])]);

/**
 * Verifies and reads an update notification file: by the key that signed last, else by the one that was announced, which replaces it then.
 * @param known where the copy is @throws SourceProblem for a signature of no known key, anything that isn't such a file, and one that contradicts what was read before
 */
export function readNotification(
  jws: string,
  source: string,
  known: Pick<Position, 'session' | 'serial' | 'firstKey' | 'signingKey' | 'nextKey' | 'files'>,
): Notification {
  const signingKey = known.signingKey ?? known.firstKey;
  if (signingKey === null) throw new SourceProblem('There is no key to verify the update notification file with.');
  const keys = [signingKey, ...(known.signingKey !== null && known.nextKey !== null ? [known.nextKey] : [])];
  const signed = keys.map(key => ({ key, payload: payloadOf(jws, key) })).find(({ payload }) => payload !== null);
  if (!signed) throw new SourceProblem('The update notification file isn’t signed by the key of this source.');
  const parsed = z.safeParse(Notification, signed.payload);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SourceProblem(
      `The update notification file is not as NRTM 4 has it: ${issue!.path.join('.') || 'the whole'} ${issue!.message}.`,
    );
  }
  const read = parsed.data;
  if (read.source.toUpperCase() !== source)
    throw new SourceProblem(`The update notification file is of the source ${read.source.slice(0, 40)}.`);
  refuseContradictions(read, known);
  const announced = read.next_signing_key ?? null;
  if (announced !== null && payloadKeyProblem(announced))
    throw new SourceProblem('The update notification file announces a key that is none.');
  return { ...read, signingKey: signed.key, nextKey: announced };
}

function payloadKeyProblem(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.namedCurve !== 'prime256v1';
  } catch {
    return true;
  }
}

function refuseContradictions(read: z.infer<typeof Notification>, known: Pick<Position, 'session' | 'serial' | 'files'>): void {
  const { deltas, snapshot } = read;
  if (deltas.some((each, index) => each.version !== deltas[0]!.version + index))
    throw new SourceProblem('The update notification file has a gap between its deltas.');
  if (read.version !== Math.max(snapshot.version, deltas.at(-1)?.version ?? 0))
    throw new SourceProblem(`The update notification file says version ${read.version}, and its files another one.`);
  // A snapshot that is newer than the last delta has no deltas after it.
  if (read.session_id !== known.session) return;
  if (read.version < known.serial)
    throw new SourceProblem(
      `The update notification file has version ${read.version}, ${known.serial - read.version === 1 ? 'one' : `${known.serial - read.version}`} below the ${known.serial} that was read before.`,
    );
  for (const [file, hash] of Object.entries(hashesOf(read)))
    if (known.files[file] !== undefined && known.files[file] !== hash)
      throw new SourceProblem(`A file of version ${file.slice(1)} has another hash than before: the source rewrote its history.`);
}
