import { openContext } from '../context.ts';
import { checkRepository, publishRepository, rsyncdConfiguration } from '../modules/rpki/index.ts';
import { migrate } from '../platform/database/index.ts';
import { release } from '../release.ts';
import { type CommandRuns, CommandFailure } from './command.ts';

const n = (count: number, word: string): string => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

/** The functions of these commands; commands.ts declares their names, options and help. */
export const rpkiCommands = {
  'rpki check': async ({ openDatabase, say }) => {
    const { vrps, problems } = await checkRepository((await openDatabase()).read, new Date());
    if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
    say(`${n(vrps, 'VRP')}, and nothing that a relying party would refuse.`);
  },
  'rpki publish': async ({ openDatabase, config, profile, log, say }) => {
    const db = await openDatabase();
    await migrate(db);
    const context = openContext({ db, config, profile, release, log });
    try {
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
  'rpki rsyncd': async ({ config, say }) => {
    for (const line of rsyncdConfiguration(config).trimEnd().split('\n')) say(line);
  },
} satisfies CommandRuns;
