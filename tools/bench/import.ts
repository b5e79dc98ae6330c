import { type Bench, type Figure, megabytes } from './figures/bench.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { runCommand, temporaryFolder } from './programs/program.ts';
import { statisticsFile } from './data/statistics.ts';

export const bench: Bench = {
  about: 'registry import statistics, on both databases, and the same file once more',
  run: async () => {
    await using temporary = temporaryFolder();
    const { file, about } = await statisticsFile(temporary.folder);
    const figures: Figure[] = [{ what: 'data', value: about }];
    const { server, reason } = await throwawayPostgres();
    const database = server ? await server.createDatabase() : null;
    const kinds: [string, Record<string, string> | null][] = [
      ['embedded', { DATA_DIR: temporary.folder }],
      ['PostgreSQL', database && { DATA_DIR: temporary.folder, DATABASE_URL: database.url }],
    ];
    for (const [kind, environment] of kinds) {
      if (!environment) {
        figures.push({ what: kind, value: `not measured: ${reason}` });
        continue;
      }
      await runCommand(['migrate'], environment);
      const first = await runCommand(['import', 'statistics', file, '--yes'], environment);
      const second = await runCommand(['import', 'statistics', file, '--yes'], environment);
      figures.push(
        {
          what: `${kind}: first import`,
          value: `${first.seconds.toFixed(1)} s, at most ${megabytes(first.peak)}`,
          budget: '40 s, 700 MB',
          held: first.seconds <= 40 && first.peak <= 700e6,
        },
        {
          what: `${kind}: second import`,
          value: `${second.seconds.toFixed(1)} s, ratio ${(second.seconds / first.seconds).toFixed(2)}, at most ${megabytes(second.peak)}`,
          budget: '13 s, 700 MB',
          held: second.seconds <= 13 && second.peak <= 700e6,
        },
      );
    }
    await database?.drop();
    return figures;
  },
};
