import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { sql } from 'kysely';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { OBJECTS_AT_ONCE, publicCopy } from '../whois/index.ts';

export type DumpOptions = { to: string; profile: Profile; now: Date; onProgress?: (objects: number) => void };
export type DumpReport = { serial: number; objects: number; byClass: Record<string, number>; leftOut: number; folder: string };

/** Name of the file with the checksums of the others. */
export const sumsName = 'SHA256SUMS';

/** Thrown if a folder with other contents is in the way. */
export class DumpRefused extends Error {}

/**
 * Writes the whois database as files: one of all objects, one for each class, and their last serial, all from one snapshot. The folder is new each
 * time; `to` is a symbolic link that is switched to it at the end, so that readers see either the old or the new files.
 * @throws {DumpRefused} if `to` is a non-empty folder, or a file.
 */
export async function dumpWhois(read: Pick<Read, 'stream' | 'rows'>, { to, profile, now, onProgress }: DumpOptions): Promise<DumpReport> {
  const target = path.resolve(to);
  const before = await previousFolder(target);
  await fs.mkdir(path.dirname(target), { recursive: true });
  const folder = await fs.mkdtemp(`${target}.${stampOf(now)}-`);
  // Readable for others.
  await fs.chmod(folder, 0o755);
  try {
    const report = await writeFiles(read, folder, { profile, now, onProgress });
    await swapIn(target, folder);
    if (before !== null) await fs.rm(before, { recursive: true, force: true });
    return report;
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Dumps once an hour, into `folder/SOURCE`; null if this hour's dump exists, or nothing changed since an earlier one of the same day (UTC). @throws
 * {DumpRefused}
 */
export async function dumpHourly(
  read: Pick<Read, 'stream' | 'rows'>,
  { folder, profile, now }: { folder: string; profile: Profile; now: Date },
): Promise<DumpReport | null> {
  const to = path.join(folder, profile.source);
  const last = await fs.readlink(to).catch(() => '');
  const isWithin = (characters: number): boolean =>
    path.basename(last).startsWith(`${profile.source}.${stampOf(now).slice(0, characters)}`);
  if (isWithin(HOUR_STAMP)) return null;
  if (isWithin(DAY_STAMP) && (await isDumpCurrent(read, { folder, profile }))) return null;
  return dumpWhois(read, { to, profile, now });
}

/** Returns whether the files in `folder/SOURCE` have the last change of the journal. */
export async function isDumpCurrent(read: Pick<Read, 'rows'>, { folder, profile }: { folder: string; profile: Profile }): Promise<boolean> {
  const written = await fs.readFile(path.join(folder, profile.source, `${profile.source}.CURRENTSERIAL`), 'utf8').catch(() => '');
  return written.trim() === String(await lastSerial(read));
}

/** `20260301T120000Z` */
/** Length of the day, and of the hour, in a stamp. */
const [DAY_STAMP, HOUR_STAMP] = [8, 11];
const stampOf = (now: Date): string => now.toISOString().replaceAll(/[-:]|\.\d+/g, '');

async function writeFiles(
  read: Pick<Read, 'stream' | 'rows'>,
  folder: string,
  { profile, now, onProgress }: Omit<DumpOptions, 'to'>,
): Promise<DumpReport> {
  const personal = profile.dumpPersonalData;
  const source = profile.source.toLowerCase();
  const report: DumpReport = { serial: 0, objects: 0, byClass: {}, leftOut: 0, folder };
  const rows = read.stream<{ class: string; text: string; serial: number }>(
    sql`select class, text, (select coalesce(max(serial), 0) from whois_journal) as serial from whois_object order by class, key`,
    OBJECTS_AT_ONCE,
  );
  const breathe = breathing();
  const opened: GzipFile[] = [];
  const openFile = (name: string): GzipFile => {
    const file = openGzip(path.join(folder, name));
    opened.push(file);
    return file;
  };
  let all: GzipFile | null = null;
  let one: GzipFile | null = null;
  let open = '';
  const head = (what: string): string => headOf(profile, { what, serial: report.serial, now });
  try {
    for await (const batch of rows) {
      for (const row of batch) {
        if (all === null) {
          report.serial = Number(row.serial);
          all = openFile(`${source}.db.gz`);
          await all.write(head('all objects'));
        }
        const text = publicCopy(row.text, personal);
        await breathe();
        if (text === null) {
          report.leftOut++;
          continue;
        }
        if (one === null || row.class !== open) {
          await one?.close();
          open = row.class;
          one = openFile(`${source}.db.${open}.gz`);
          await one.write(head(`${open} objects`));
        }
        await Promise.all([one.write(`\n${text}`), all.write(`\n${text}`)]);
        report.objects++;
        report.byClass[open] = (report.byClass[open] ?? 0) + 1;
      }
      onProgress?.(report.objects);
    }
    if (all === null) {
      report.serial = await lastSerial(read);
      all = openFile(`${source}.db.gz`);
      await all.write(head('all objects'));
    }
    await one?.close();
    await all.close();
  } catch (error) {
    // An open file keeps its disk space.
    await Promise.all(opened.map(file => file.discard()));
    throw error;
  }
  await fs.writeFile(path.join(folder, `${profile.source}.CURRENTSERIAL`), `${report.serial}\n`);
  await writeSums(folder);
  return report;
}

/** Writes SHA256SUMS, which `sha256sum --check` reads: a line for each file of the folder. */
async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of (await fs.readdir(folder)).toSorted()) {
    const hash = createHash('sha256');
    for await (const part of createReadStream(path.join(folder, name))) hash.update(part as Buffer);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  await fs.writeFile(path.join(folder, sumsName), lines.join(''));
}

const lastSerial = async (read: Pick<Read, 'rows'>): Promise<number> =>
  Number((await read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0) as serial from whois_journal`))[0]!.serial);

const headOf = (profile: Profile, { what, serial, now }: { what: string; serial: number; now: Date }): string =>
  [
    `# ${profile.registryName}: ${what} of the whois database ${profile.source}`,
    `# Serial ${serial}, ${now.toISOString().slice(0, 19)}Z`,
    `# Use is subject to the terms at ${profile.whoisTermsUrl}`,
    '',
  ].join('\n');

type GzipFile = { write(text: string): Promise<void>; close(): Promise<void>; discard(): Promise<void> };

function openGzip(file: string): GzipFile {
  const gzip: Gzip = createGzip({ level: 6 });
  const out = createWriteStream(file, { flags: 'wx' });
  // Fails when either of them does.
  const written = pipeline(gzip, out);
  written.catch(() => {});
  // A system call for each object would cost more than the compression.
  let waiting = '';
  const push = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
  };
  return {
    write: async text => {
      waiting += text;
      if (waiting.length > 65_536) await push();
    },
    close: async () => {
      await push();
      gzip.end();
      await written;
    },
    discard: async () => {
      gzip.destroy();
      if (out.closed) return;
      out.destroy();
      await once(out, 'close').catch(() => {});
    },
  };
}

/** Returns the link's present target; null if there is none yet. */
async function previousFolder(target: string): Promise<string | null> {
  const stat = await fs.lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stat === null) return null;
  if (stat.isSymbolicLink()) return path.resolve(path.dirname(target), await fs.readlink(target));
  if (!stat.isDirectory()) throw new DumpRefused(`${target} is a file; name a folder.`);
  if ((await fs.readdir(target)).length > 0)
    throw new DumpRefused(
      `${target} holds files that are no dump of ours; name a folder that is new, empty or was written by this command.`,
    );
  await fs.rmdir(target);
  return null;
}

/** A link is replaced in one step; a folder is not. */
async function swapIn(target: string, folder: string): Promise<void> {
  const link = `${folder}.link`;
  await fs.symlink(path.basename(folder), link);
  await fs.rename(link, target);
}
