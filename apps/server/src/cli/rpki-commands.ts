import { readFile, writeFile } from 'node:fs/promises';
import { formatCount } from '@portal/number-resources';
import { ProfileError } from '@portal/rpki-objects';
import * as z from 'zod/mini';
import { openContext } from '../context.ts';
import {
  checkRepository,
  createOfflineTrustAnchor,
  importTrustAnchor,
  otherClock,
  publishRepository,
  requestTrustAnchor,
  rsyncdConfiguration,
  signTrustAnchorRequest,
  TrustAnchorRefused,
  TrustAnchorRequest,
  TrustAnchorResponse,
} from '../modules/rpki/index.ts';
import { migrate } from '../platform/database/index.ts';
import { release } from '../release.ts';
import { CommandFailure, type CommandRuns } from './command.ts';

const n = (count: number, word: string): string => `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;

/** Answers refusals in one line. */
async function orFail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TrustAnchorRefused || error instanceof ProfileError) throw new CommandFailure(error.message);
    throw error;
  }
}

async function read<T>(file: string, schema: z.ZodMiniType<T>): Promise<T> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailure(`${file} can’t be read.`);
  });
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    throw new CommandFailure(`${file} is not the file this command takes.`);
  }
}

const write = (file: string, message: unknown): Promise<void> => writeFile(file, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o644 });

/** The functions of these commands; commands.ts declares their names, options and help. */
export const rpkiCommands = {
  'rpki check': async ({ openDatabase, say }) => {
    const { vrps, unallocated, problems } = await checkRepository((await openDatabase()).read, new Date());
    if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
    const as0 = unallocated > 0 ? `, ${n(unallocated, 'prefix').replace(/prefixs$/, 'prefixes')} without a holder under AS0` : '';
    say(`${n(vrps, 'VRP')}${as0}, and nothing that a relying party would refuse.`);
  },
  'rpki publish': async ({ openDatabase, config, profile, log, say }) => {
    const db = await openDatabase();
    await migrate(db);
    const context = openContext({ db, config, profile, release, log });
    try {
      const other = await otherClock(context);
      if (other !== null) throw new CommandFailure(other);
      const made = await publishRepository(context);
      say(
        made === 0
          ? `Nothing was due. The files in ${config.rpkiDir} are complete.`
          : `Made ${n(made, 'publication')}, written to ${config.rpkiDir}.`,
      );
    } finally {
      await context.close();
    }
  },
  'rpki ta init': async ({ config, args, say }) => {
    const keyIdentifier = await orFail(() => createOfflineTrustAnchor(args[0]!, config.rpkiTaPassphrase));
    say(
      `Made the key of the trust anchor, ${keyIdentifier}, in ${args[0]}. Keep copies of the folder in two places, and the passphrase in another.`,
    );
  },
  'rpki ta request': async ({ openDatabase, config, profile, log, say, args }) => {
    const db = await openDatabase();
    await migrate(db);
    const context = openContext({ db, config, profile, release, log });
    try {
      await write(args[0]!, await orFail(() => requestTrustAnchor(context)));
      say(`Wrote ${args[0]}. Take it to the machine of the trust anchor: registry rpki ta sign.`);
    } finally {
      await context.close();
    }
  },
  'rpki ta sign': async ({ config, args, options, say }) => {
    const days = Number(options.days ?? 90);
    if (!Number.isInteger(days) || days < 7 || days > 365) throw new CommandFailure('--days takes 7 to 365.');
    if (typeof options.key !== 'string' || typeof options.to !== 'string')
      throw new CommandFailure('Name the folder of the key with --key and the response with --to.');
    const { key: folder, to } = options;
    const request = await read(args[0]!, TrustAnchorRequest);
    const passphrase = config.rpkiTaPassphrase;
    const response = await orFail(() => signTrustAnchorRequest(request, { folder, passphrase, days, now: new Date() }));
    await write(to, response);
    say(
      `Signed for ${request.registryName}: manifest ${response.manifest.number}, until ${response.manifest.nextUpdate}. Take ${to} back: registry rpki ta import.`,
    );
  },
  'rpki ta import': async ({ openDatabase, config, profile, log, say, args }) => {
    const context = openContext({ db: await openDatabase(), config, profile, release, log });
    try {
      const response = await read(args[0]!, TrustAnchorResponse);
      const serial = await orFail(() => importTrustAnchor(context, response));
      say(`Published in RRDP serial ${serial}. The next signing is due before ${response.manifest.nextUpdate}.`);
    } finally {
      await context.close();
    }
  },
  'rpki rsyncd': async ({ config, say }) => {
    for (const line of rsyncdConfiguration(config).trimEnd().split('\n')) say(line);
  },
} satisfies CommandRuns;
