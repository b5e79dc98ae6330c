import fs from 'node:fs';
import { formatCount, MrtError } from '@portal/number-resources';
import { BgpTableRefused, importBgpTable } from '../modules/bgp-tables/index.ts';
import { migrate } from '../platform/database/index.ts';
import { CommandFailure, type CommandRuns } from './command.ts';

/** Implementation of the command that commands.ts declares. */
export const bgpCommands = {
  'import bgp': async ({ openDatabase, args, options, progress, say }) => {
    const file = args[0]!;
    if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
    const leastPeers = Number(options['peers'] ?? '1');
    if (!Number.isInteger(leastPeers) || leastPeers < 1) throw new CommandFailure('--peers is a number from 1 up, such as 10.');
    const db = await openDatabase();
    await migrate(db);
    try {
      const report = await importBgpTable(db, {
        from: file,
        leastPeers,
        shrinks: options['shrinks'] === true,
        onProgress: (done, total) => progress.show('Storing announcements', done, total),
      });
      progress.end();
      say(`Read a ${report.format}, collected ${report.collectedAt}, in ${report.seconds.toFixed(1)} s.`);
      for (const { family, announcements, peers } of report.tables)
        say(`IPv${family}         ${formatCount(announcements)} announcements, seen by up to ${formatCount(peers)} peers`);
      say(
        report.neighbours === null
          ? 'Paths        none: this format has only origins, so providers (ASPA) can’t be held against it'
          : `Paths        ${formatCount(report.neighbours)} pairs of neighbours`,
      );
      if (report.sets > 0) say(`Left out     ${formatCount(report.sets)} with an AS set as origin`);
      if (report.rare > 0) say(`Left out     ${formatCount(report.rare)} that fewer than ${leastPeers} peers see`);
      if (report.refusedTotal > 0) say(`Refused      ${formatCount(report.refusedTotal)} lines`);
      for (const { line, problem } of report.refused) say(`  line ${line}: ${problem}`);
    } catch (error) {
      progress.end();
      if (error instanceof BgpTableRefused || error instanceof MrtError) throw new CommandFailure(error.message);
      throw error;
    }
  },
} satisfies CommandRuns;
