import fs from 'node:fs';
import { openContext } from '../context.ts';
import { importFragment, publishAllZones } from '../modules/reverse-dns/index.ts';
import { migrate } from '../platform/database/index.ts';
import { release } from '../release.ts';
import { CommandFailure, type CommandRuns } from './command.ts';
import { formatCount } from '@portal/number-resources';

const n = (count: number, word: string): string => `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;

/** Implementations of the commands that commands.ts declares. */
export const reverseDnsCommands = {
  'zones publish': async ({ openDatabase, config, profile, log, say }) => {
    const db = await openDatabase();
    await migrate(db);
    const context = openContext({ db, config, profile, release, log });
    try {
      const made = await publishAllZones(context);
      say(`${made.length === 0 ? 'No zone changed' : `Wrote ${n(made.length, 'zone')}`}. Files are in ${config.filesDir}/zones.`);
    } finally {
      await context.close();
    }
  },
  'import zonelet': async ({ openDatabase, args, say }) => {
    const [source, zone, file] = args as [string, string, string];
    if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
    const db = await openDatabase();
    await migrate(db);
    const fragment = { source, parent: zone.toLowerCase().replace(/\.$/, ''), text: fs.readFileSync(file, 'utf8') };
    const { records, problem } = await importFragment(db, fragment);
    if (problem !== null) throw new CommandFailure(problem);
    say(`Imported ${n(records, 'record')} of ${source}. The next publication of ${zone} has them.`);
  },
} satisfies CommandRuns;
