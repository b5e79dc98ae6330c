import fs from 'node:fs';
import { utcDay } from '@portal/contract/days';
import { DumpRefused, dumpWhois, type LoadReport, loadWhois, rotateNrtmKey } from '../modules/mirrors/index.ts';
import { migrate } from '../platform/database/index.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { type CommandRuns, CommandFailure } from './command.ts';
import { formatCount } from '@portal/number-resources';

/** The functions of these commands; commands.ts declares their names, options and help. */
export const rpslCommands = {
  'import rpsl': async ({ openDatabase, args, profile, say, progress }) => {
    const file = args[0]!;
    if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
    const db = await openDatabase();
    await migrate(db);
    const report = await loadWhois(db, { from: file, profile, onProgress: done => progress.show('Loading objects', done, 0) });
    progress.end();
    for (const line of wordsOf(report)) say(line);
  },
  'dump rpsl': async ({ openDatabase, options, profile, say, progress }) => {
    const { to } = options as Record<string, string | undefined>;
    if (to === undefined || to === '') throw new CommandFailure('Name the folder to write to: --to DIR.');
    const db = await openDatabase();
    try {
      const report = await dumpWhois(db.read, {
        to,
        profile,
        now: new Date(),
        onProgress: done => progress.show('Writing objects', done, 0),
      });
      progress.end();
      const classes = Object.entries(report.byClass).map(([name, count]) => `${name} ${formatCount(count)}`);
      say(
        `Wrote ${formatCount(report.objects)} objects up to serial ${report.serial} to ${to}${classes.length > 0 ? ` (${classes.join(', ')})` : ''}.`,
      );
      if (report.leftOut > 0) say(`Left out ${formatCount(report.leftOut)} persons.`);
    } catch (error) {
      progress.end();
      if (error instanceof DumpRefused) throw new CommandFailure(error.message);
      throw error;
    }
  },
  'rotate mirror-key': async ({ openDatabase, config, options, say }) => {
    const db = await openDatabase();
    await migrate(db);
    const { step, since, publicPem } = await rotateNrtmKey(db, openSecretBox(config), {
      now: new Date(),
      atOnce: options['at-once'] === true,
    });
    const day = utcDay(since);
    if (step === 'announced') say('A new key is announced. Run this again in a week to let it sign.');
    if (step === 'waiting') say(`The new key is announced since ${day}; it can sign a week after that.`);
    if (step === 'replaced') say('The new key signs from the next publication on.');
    say(publicPem.trimEnd());
  },
} satisfies CommandRuns;

function wordsOf(r: LoadReport): string[] {
  const note = ({ line, object, message }: LoadReport['refusals'][number]): string => `  line ${line}: ${object}: ${message}`;
  const more = (total: number, shown: readonly unknown[]): string[] =>
    total > shown.length ? [`  and ${formatCount(total - shown.length)} more`] : [];
  const kinds = Object.entries(r.warnings).sort(([, a], [, b]) => b - a);
  return [
    `Read ${formatCount(r.objects)} objects in ${r.seconds.toFixed(1)} s: ${formatCount(r.created)} created, ${formatCount(r.modified)} changed, ${formatCount(r.unchanged)} as they were, ${formatCount(r.refused)} left out.`,
    ...(r.refused > 0 ? ['Left out', ...r.refusals.map(note), ...more(r.refused, r.refusals)] : []),
    ...(r.warned > 0
      ? [
          `${formatCount(r.warned)} of them break today’s rules (${kinds.map(([code, count]) => `${code} ${formatCount(count)}`).join(', ')})`,
          ...r.warningNotes.map(note),
          ...more(r.warned, r.warningNotes),
        ]
      : []),
  ];
}
