import fs from 'node:fs';
import { open as openFile, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { offsetIn } from '@portal/contract/days';
import {
  exportStatistics,
  type ImportReport,
  importStatistics,
  StatisticsLocked,
  StatisticsPlan,
  StatisticsRefused,
} from '../modules/resources/index.ts';
import { migrate } from '../platform/database/index.ts';
import { type CommandRuns, CommandFailure, type CommandContext } from './command.ts';
import { formatCount } from '@portal/number-resources';

const refusedLines = (lines: readonly { line: number; reason: string }[], total: number): string[] => [
  ...lines.slice(0, 20).map(({ line, reason }) => `  line ${line}: ${reason}`),
  ...(total > 20 ? [`  and ${formatCount(total - 20)} more`] : []),
];

/** The functions of these commands; commands.ts declares their names, options and help. */
export const statisticsCommands = {
  'import statistics': async context => {
    const file = context.args[0]!;
    if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
    await migrate(await context.openDatabase());
    let agreed: boolean | string = context.options['yes'] === true;
    for (;;) {
      try {
        for (const line of wordsOf(await importFile(context, file, agreed))) context.say(line);
        return;
      } catch (error) {
        context.progress.end();
        if (error instanceof StatisticsRefused) {
          for (const line of refusedLines(error.refused, error.refusedTotal)) context.say(line);
          const hint =
            error.refusedTotal === 0 && error.wrongCounts.length > 0 ? ' Import the file anyway with --accept-wrong-summary.' : '';
          throw new CommandFailure(`${error.message}${hint}`);
        }
        if (error instanceof StatisticsLocked) throw new CommandFailure(error.message);
        if (!(error instanceof StatisticsPlan)) throw error;
        for (const line of error.lines) context.say(line);
        const answer = await context.ask('Import the file?');
        if (answer === null) throw new CommandFailure(`${error.message} Add --yes to confirm.`);
        if (!answer) throw new CommandFailure('Nothing was imported.');
        // A concurrent change is asked about again.
        agreed = error.key;
      }
    }
  },
  'export statistics': async ({ openDatabase, options, profile, say, output }) => {
    const { format, registry, date, out } = options as Record<string, string | undefined>;
    if (format !== undefined && format !== 'delegated' && format !== 'delegated-extended')
      throw new CommandFailure('--format is delegated or delegated-extended.');
    const write = async (target: Writable) =>
      exportStatistics(await openDatabase(), {
        ownRegistry: profile.statisticsRegistry,
        utcOffset: offsetIn(profile.timeZone, new Date()),
        ...(registry !== undefined && { registry }),
        ...(format !== undefined && { format }),
        ...(date !== undefined && { date }),
        out: target,
      });
    if (out === undefined) {
      await write(output);
      return;
    }
    const file = (await openFile(out, 'wx')).createWriteStream();
    let report;
    try {
      const failed = new Promise<never>((_, reject) => file.once('error', reject));
      failed.catch(() => {});
      report = await Promise.race([write(file), failed]);
      file.end();
      await finished(file);
    } catch (error) {
      // Half a file is none.
      file.destroy();
      await rm(out, { force: true });
      throw error;
    }
    say(
      `Wrote ${formatCount(report.records)} records of ${report.registry} to ${out} (${report.summaries.map(s => `${s.kind} ${formatCount(s.count)}`).join(', ')}).`,
    );
  },
} satisfies CommandRuns;

async function importFile(
  { openDatabase, options, profile, progress }: CommandContext,
  file: string,
  agreed: boolean | string,
): Promise<ImportReport> {
  const report = await importStatistics(await openDatabase(), {
    from: file,
    ownRegistry: profile.statisticsRegistry,
    policy: profile,
    acceptWrongSummary: options['accept-wrong-summary'] === true,
    skipRefused: options['skip-refused'] === true,
    agreed,
    onProgress: ({ step, done, total }) => progress.show(`${step[0]!.toUpperCase()}${step.slice(1)}`, done, total ?? 0),
  });
  progress.end();
  return report;
}

const wordsOf = (r: ImportReport): string[] => [
  `Read ${formatCount(r.lines)} lines of ${r.registry} (${r.format}, serial ${r.serial}): ${formatCount(r.records)} records in ${r.seconds.toFixed(1)} s.`,
  `Accounts     ${formatCount(r.accounts.inFile)} in the file, ${formatCount(r.accounts.opened)} opened`,
  `Delegations  ${formatCount(r.delegations.added)} added, ${formatCount(r.delegations.changed)} changed, ${formatCount(r.delegations.closed)} closed, ${formatCount(r.delegations.unchanged)} as they were`,
  `Pools        ${formatCount(r.pools.added)} added, ${formatCount(r.pools.changed)} changed, ${formatCount(r.pools.removed)} removed, ${formatCount(r.pools.unchanged)} as they were`,
  ...r.wrongCounts.map(
    ({ what, stated, counted }) =>
      `Accepted     ${stated === null ? `no count of ${what}` : `${formatCount(stated)} ${what} stated`}, ${formatCount(counted)} are there`,
  ),
  ...(r.notedTotal > 0
    ? [
        `Imported     ${formatCount(r.notedTotal)} lines with something wrong`,
        ...refusedLines(
          r.noted.map(({ line, note }) => ({ line, reason: note })),
          r.notedTotal,
        ),
      ]
    : []),
  ...(r.refusedTotal > 0 ? [`Left out     ${formatCount(r.refusedTotal)} lines`, ...refusedLines(r.refused, r.refusedTotal)] : []),
];
