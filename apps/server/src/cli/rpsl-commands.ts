import fs from 'node:fs';
import { utcDay } from '@portal/contract/days';
import { DumpRefused, dumpWhois, type LoadReport, loadWhois, rotateNrtmKey } from '../modules/mirrors/index.ts';
import { migrate } from '../platform/database/index.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { type Command, CommandFailure } from './command.ts';

const n = (count: number): string => count.toLocaleString('en');

export const rpslCommands: readonly Command[] = [
  {
    name: 'import rpsl',
    args: ['FILE'],
    summary: 'load whois objects of an RPSL file (.gz or plain) as they are',
    help: [
      'Objects that break today’s rules are loaded and told; what has no class and key is left out and told.',
      'Of a hashed password in auth only its kind is kept (MD5-PW): it opens nothing here.',
      'The whole file is one change. Objects that are not in the file stay. The same file again changes nothing.',
    ],
    run: async ({ openDatabase, args, profile, say, progress }) => {
      const file = args[0]!;
      if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
      const db = await openDatabase();
      await migrate(db);
      const report = await loadWhois(db, { from: file, profile, onProgress: done => progress.show('Loading objects', done, 0) });
      progress.end();
      for (const line of wordsOf(report)) say(line);
    },
  },
  {
    name: 'dump rpsl',
    options: { to: { type: 'string' } },
    files: ['to'],
    summary: 'write the whois database as files, one for each class',
    help: [
      '--to …  a folder that is new, empty, or was written by this command: it becomes a link to the new files',
      'Never in them: what opens a maintainer. Persons are left out, or dummies, as the registry profile says (dumpPersonalData).',
    ],
    run: async ({ openDatabase, options, profile, say, progress }) => {
      const { to } = options as Record<string, string | undefined>;
      if (to === undefined || to === '') throw new CommandFailure('Say where to: --to DIR.');
      const db = await openDatabase();
      try {
        const report = await dumpWhois(db.read, {
          to,
          profile,
          now: new Date(),
          onProgress: done => progress.show('Writing objects', done, 0),
        });
        progress.end();
        const classes = Object.entries(report.byClass).map(([name, count]) => `${name} ${n(count)}`);
        say(
          `Wrote ${n(report.objects)} objects up to serial ${report.serial} to ${to}${classes.length > 0 ? ` (${classes.join(', ')})` : ''}.`,
        );
        if (report.leftOut > 0) say(`Left out ${n(report.leftOut)} persons.`);
      } catch (error) {
        progress.end();
        if (error instanceof DumpRefused) throw new CommandFailure(error.message);
        throw error;
      }
    },
  },
  {
    name: 'rotate mirror-key',
    options: { 'at-once': { type: 'boolean' } },
    summary: 'replace the key that signs what mirrors read (NRTMv4): announce a new one, or let it take over',
    help: [
      'The first call announces a new key; a call a week later lets it sign, and mirrors follow automatically.',
      '--at-once  the new key signs now: for a key that became known to others. Every mirror has to be given the new one.',
    ],
    run: async ({ openDatabase, config, options, say }) => {
      const db = await openDatabase();
      await migrate(db);
      const { step, since, publicPem } = await rotateNrtmKey(db, openSecretBox(config), {
        now: new Date(),
        atOnce: options['at-once'] === true,
      });
      const day = utcDay(since);
      if (step === 'announced') say('A new key is announced. Call this again in a week to let it sign.');
      if (step === 'waiting') say(`The new key is announced since ${day}; it can sign a week after that.`);
      if (step === 'replaced') say('The new key signs from the next publication on.');
      say(publicPem.trimEnd());
    },
  },
];

function wordsOf(r: LoadReport): string[] {
  const note = ({ line, object, message }: LoadReport['refusals'][number]): string => `  line ${line}: ${object}: ${message}`;
  const more = (total: number, shown: readonly unknown[]): string[] =>
    total > shown.length ? [`  and ${n(total - shown.length)} more`] : [];
  const kinds = Object.entries(r.warnings).sort(([, a], [, b]) => b - a);
  return [
    `Read ${n(r.objects)} objects in ${r.seconds.toFixed(1)} s: ${n(r.created)} created, ${n(r.modified)} changed, ${n(r.unchanged)} as they were, ${n(r.refused)} left out.`,
    ...(r.refused > 0 ? ['Left out', ...r.refusals.map(note), ...more(r.refused, r.refusals)] : []),
    ...(r.warned > 0
      ? [
          `${n(r.warned)} of them break today’s rules (${kinds.map(([code, count]) => `${code} ${n(count)}`).join(', ')})`,
          ...r.warningNotes.map(note),
          ...more(r.warned, r.warningNotes),
        ]
      : []),
  ];
}
