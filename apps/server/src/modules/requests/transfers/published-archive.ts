import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { todayOf } from '../account-facts.ts';
import { fileMakers, signerOf } from './file-makers.ts';

const pressed = promisify(gzip);
const unpressed = promisify(gunzip);

/** A file as published on a day. */
type ArchivedFile = { name: string; day: string; mediaType: string; signature: string; bytes: Buffer };
type Row = Omit<ArchivedFile, 'bytes'> & { content: Buffer };

const daysDigits = (day: string): string => day.replaceAll('-', '');

/** `transfers_20261123T000500Z.json`: the instant without colons, as the transfer log format of the NRO names its archives. */
const instantDigits = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/**
 * Keeps the statistics files and the transfer log of today, once a day: `delegated-<registry>-yyyymmdd`, its extended form, and `transfers/yyyy/transfers_<instant>.json`,
 * each with its MD5 and present signature. An existing day stays unchanged.
 */
export async function publishToday({
  db,
  profile,
  config,
  clock,
}: Pick<ModuleContext, 'db' | 'profile' | 'config' | 'clock'>): Promise<void> {
  const now = clock();
  const day = todayOf(profile, now);
  const [kept] = await db.read.rows(sql`select 1 from published_file where day = ${day}::date limit 1`);
  if (kept) return;
  const { delegated, extended, transferLog } = fileMakers({ db, profile, clock });
  const registry = profile.statisticsRegistry;
  const signer = signerOf(config, profile);
  const files = [
    { name: `delegated-${registry}-${daysDigits(day)}`, ...(await delegated()) },
    { name: `delegated-${registry}-extended-${daysDigits(day)}`, ...(await extended()) },
    { name: `transfers/${day.slice(0, 4)}/transfers_${instantDigits(now)}.json`, ...(await transferLog()) },
  ];
  const rows = await Promise.all(
    files.map(async ({ name, bytes, type }) => ({
      name,
      day,
      mediaType: type,
      content: await pressed(bytes),
      bytes: bytes.length,
      signature: signer.sign(bytes, now),
      madeAt: now.toISOString(),
    })),
  );
  await db.change(ownActivity('requests.publishFiles', `Published the statistics of ${day}`), async change => {
    const [before] = await change.rows(sql`select 1 from published_file where day = ${day}::date limit 1`);
    if (before) return;
    await change
      .insertInto('publishedFile')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute();
    await change.note({ files: rows.map(({ name }) => name) });
  });
}

/** Returns a file of a past day by its name, with or without the folder of its year; null where there is none. */
export async function archivedFile(db: Pick<Database, 'read'>, name: string): Promise<ArchivedFile | null> {
  const [row] = await db.read.rows<Row>(
    sql`select name, day::text, media_type, signature, content from published_file where name = ${name.replace(/^\d{4}\/(?=delegated-)/, '')}`,
  );
  if (!row) return null;
  const { content, ...rest } = row;
  return { ...rest, bytes: await unpressed(content) };
}

/** Lists the files of past days, newest first; at most 3,000, which is the last three years. */
export const listArchive = (read: Pick<Read, 'rows'>): Promise<{ name: string; day: string; bytes: number }[]> =>
  read.rows(sql`select name, day::text, bytes from published_file order by day desc, name limit 3000`);
