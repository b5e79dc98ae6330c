import fs from 'node:fs';
import { openContext } from '../context.ts';
import { importFragment, publishAllZones } from '../modules/reverse-dns/index.ts';
import { migrate } from '../platform/database/index.ts';
import { release } from '../release.ts';
import { type Command, CommandFailure } from './command.ts';

const n = (count: number, word: string): string => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

export const reverseDnsCommands: readonly Command[] = [
  {
    name: 'zones publish',
    alone: true,
    summary: 'write the reverse zones that changed; the role publisher does so without being asked',
    run: async ({ openDatabase, config, profile, log, say }) => {
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
  },
  {
    name: 'import zonelet',
    args: ['SOURCE', 'ZONE', 'FILE'],
    summary: 'take the delegations of another registry, such as a national one, into a reverse zone',
    help: [
      'SOURCE names the other registry; its earlier records of the zone are replaced.',
      'FILE has NS, DS, A and AAAA records with full names, below ZONE.',
    ],
    run: async ({ openDatabase, args, say }) => {
      const [source, zone, file] = args as [string, string, string];
      if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
      const db = await openDatabase();
      await migrate(db);
      const { records, problem } = await importFragment(db, {
        source,
        parent: zone.toLowerCase().replace(/\.$/, ''),
        text: fs.readFileSync(file, 'utf8'),
      });
      if (problem !== null) throw new CommandFailure(problem);
      say(`Imported ${n(records, 'record')} of ${source}. The next publication of ${zone} has them.`);
    },
  },
];
