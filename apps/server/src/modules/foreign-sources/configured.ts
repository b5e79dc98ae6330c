import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Config } from '../../config.ts';
import type { Profile } from '../../profile.ts';

/** How a source is followed: by files alone, by files and NRTM 3 from their serial on, or by NRTM 4. */
export type Way =
  | { kind: 'dump'; dump: readonly string[]; serial: string | null; hours: number }
  | { kind: 'nrtm3'; dump: readonly string[]; serial: string; host: string; port: number }
  | { kind: 'nrtm4'; url: string; key: string };

/** A source of another registry, as the operator configured it. */
export type ConfiguredSource = {
  /** In capital letters, as its objects name it. */
  name: string;
  /** Queries that name no source have its objects too. */
  isDefault: boolean;
  way: Way;
};

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
const canParse = (given: string, protocols: readonly string[]): boolean =>
  URL.canParse(given) && protocols.includes(new URL(given).protocol) && new URL(given).hash === '';

const file = 'must be an address starting with https://, http:// or file:///';
const FileAddress = z.string({ error: file }).check(z.refine(given => canParse(given, ['https:', 'http:', 'file:']), { error: file }));
const notification = 'must be the address of the update notification file, starting with https:// (http:// on this machine only)';
const NotificationAddress = z.string({ error: notification }).check(
  z.refine(given => canParse(given, ['https:']) || (canParse(given, ['http:']) && loopback.test(new URL(given).hostname)), {
    error: notification,
  }),
);
const server = 'must be a host and a port, such as whois.registry.example:43';
const name = 'must be the name of a source: 2 to 40 letters, digits and hyphens, a letter first, such as RADB';

/** Returns whether a text is a public key that update notification files may be signed with (ES256). */
function isEcKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** An entry of the file FOREIGN_SOURCES. */
const Entry = z.strictObject(
  {
    name: z.string({ error: name }).check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,38}[A-Za-z0-9]$/, { error: name })),
    default: z.optional(z.boolean({ error: 'must be true or false' })),
    dump: z.optional(
      z
        .array(FileAddress, { error: 'must be a list of addresses of files' })
        .check(z.minLength(1, { error: 'must name at least one file' }), z.maxLength(40, { error: 'names more than 40 files' })),
    ),
    serial: z.optional(FileAddress),
    hours: z.optional(
      z
        .int({ error: 'must be whole hours' })
        .check(z.minimum(1, { error: 'must be 1 to 168 hours' }), z.maximum(168, { error: 'must be 1 to 168 hours' })),
    ),
    nrtm3: z.optional(z.string({ error: server }).check(z.regex(/^(?:[A-Za-z0-9.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/, { error: server }))),
    nrtm4: z.optional(NotificationAddress),
    key: z.optional(
      z
        .string({ error: 'must be text' })
        .check(z.refine(isEcKey, { error: 'must be the public key of the source in PEM, of the curve P-256, with which ES256 signs' })),
    ),
  },
  {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `has an unknown entry "${(issue as { keys: string[] }).keys.join('", "')}"; there are name, default, dump, serial, hours, nrtm3, nrtm4 and key`
        : 'must be an object such as {"name": "RADB", "dump": ["https://…"]}',
  },
);
type Entry = z.infer<typeof Entry>;

/** Returns how an entry is followed, or what it lacks or has too much. */
function wayOf({ dump, serial, hours, nrtm3, nrtm4, key }: Entry): Way | string {
  if (nrtm4 !== undefined) {
    if (key === undefined) return ': nrtm4 needs the public key of the source, in PEM, as key';
    if (dump ?? serial ?? hours ?? nrtm3) return ': nrtm4 has all of a source; leave dump, serial, hours and nrtm3 out';
    return { kind: 'nrtm4', url: nrtm4, key };
  }
  if (key !== undefined) return ': key is for nrtm4, whose files are signed';
  if (dump === undefined) return ': name its files as dump, or its update notification file as nrtm4';
  if (nrtm3 === undefined) return { kind: 'dump', dump, serial: serial ?? null, hours: hours ?? 24 };
  if (serial === undefined)
    return ': nrtm3 goes on from the serial of the files; name the file that has it as serial, such as https://…/RADB.CURRENTSERIAL';
  if (hours !== undefined) return ': hours is for files alone; with nrtm3 they are read again when changes are missing';
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(nrtm3)!;
  if (Number(port) < 1 || Number(port) > 65_535) return `: nrtm3 ${server}`;
  return { kind: 'nrtm3', dump, serial, host: host!, port: Number(port) };
}

/** Reads and checks the file. @throws Error with a sentence that names the file, the entry, and what would be right */
export function readForeignSources(path: string, ownSource: string): readonly ConfiguredSource[] {
  if (path === '') return [];
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`The file ${path} of FOREIGN_SOURCES can’t be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(given))
    throw new Error(`The file ${path} of FOREIGN_SOURCES must be a list of sources: [{"name": "RADB", "dump": ["https://…"]}].`);
  const seen = new Set<string>();
  return given.map((entry: unknown, index) => {
    const called: unknown = (entry as { name?: unknown } | null)?.name;
    const wrong = (what: string) =>
      new Error(
        `The file ${path} of FOREIGN_SOURCES: source ${typeof called === 'string' ? `"${called.slice(0, 60)}"` : `number ${index + 1}`}${what}.`,
      );
    const parsed = z.safeParse(Entry, entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw wrong(`${issue!.path.length > 0 ? `: ${issue!.path.join('.')}` : ''} ${issue!.message}`);
    }
    const source = parsed.data.name.toUpperCase();
    if (source === ownSource.toUpperCase()) throw wrong(' is the registry’s own, which is kept here and mirrored by others');
    if (seen.has(source)) throw wrong(' is listed twice');
    seen.add(source);
    const way = wayOf(parsed.data);
    if (typeof way === 'string') throw wrong(way);
    return { name: source, isDefault: parsed.data.default ?? false, way };
  });
}

const read = new WeakMap<Pick<Config, 'foreignSources'>, readonly ConfiguredSource[]>();

/** Returns the sources that this registry mirrors, in the order of the file, which is read once a process. @throws Error as `readForeignSources` */
export function foreignSourcesOf({
  config,
  profile,
}: {
  config: Pick<Config, 'foreignSources'>;
  profile: Pick<Profile, 'source'>;
}): readonly ConfiguredSource[] {
  const known = read.get(config);
  if (known) return known;
  const sources = readForeignSources(config.foreignSources, profile.source);
  read.set(config, sources);
  return sources;
}
