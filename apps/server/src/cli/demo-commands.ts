import fs from 'node:fs';
import { formatCount } from '@portal/number-resources';
import { demoPeople, emptyDatabase, ensureDemo, loadDemo, makeRegion, RegionRefused, sizeOfRegion } from '../demo/index.ts';
import { openFiles } from '../modules/documents/index.ts';
import { BgpTableRefused } from '../modules/bgp-tables/index.ts';
import { demoPasswordOf } from '../modules/identity/index.ts';
import { holdersIn } from '../modules/resources/index.ts';
import { migrate } from '../platform/database/index.ts';
import { type CommandRuns, CommandFailure, type CommandContext } from './command.ts';

const onlyInDemoMode = ({ config }: CommandContext): void => {
  if (!config.demoMode) throw new CommandFailure('This is for demo mode only (DEMO=on, never in production).');
};

const optionsOf = ({ config, profile }: CommandContext) => ({ config, profile, today: new Date(), store: openFiles(config) });

/** The functions of these commands; commands.ts declares their names, options and help. */
export const demoCommands = {
  'demo load': async context => {
    onlyInDemoMode(context);
    const db = await context.openDatabase();
    await migrate(db);
    const { loaded } = await ensureDemo(db, optionsOf(context));
    if (!loaded) throw new CommandFailure('The demo registry is loaded already. "demo reset" loads it again.');
    context.say(`Loaded. Sign in as ${demoPeople[0]!.username} with ${demoPasswordOf(demoPeople[0]!.username)}.`);
  },
  'demo region': async context => {
    onlyInDemoMode(context);
    const { options, progress, say, config, profile } = context;
    const fileOf = (name: string): string | null => {
      const file = options[name];
      if (typeof file !== 'string') return null;
      if (!fs.existsSync(file)) throw new CommandFailure(`There is no file ${file}.`);
      return file;
    };
    const [statistics, announcements] = [fileOf('statistics'), fileOf('announcements')];
    const given = Object.fromEntries(
      ['accounts', 'objects', 'zones', 'tickets', 'activities', 'seed'].flatMap(name => {
        const value = options[name];
        if (value === undefined) return [];
        if (typeof value !== 'string' || !/^\d{1,9}$/.test(value) || (name === 'accounts' && Number(value) < 10))
          throw new CommandFailure(`--${name} is a whole number${name === 'accounts' ? ' from 10 up' : ''}, such as 1000.`);
        return [[name, Number(value)]];
      }),
    );
    const size = sizeOfRegion({ accounts: statistics === null ? 100 : holdersIn(statistics), ...given });
    try {
      const { stages, seconds } = await makeRegion(await context.openDatabase(), {
        size,
        config,
        profile,
        today: new Date(),
        statistics,
        announcements,
        onProgress: (title, done, total) => progress.show(title, done, total),
      });
      progress.end();
      for (const { title, rows, seconds: took, resumed } of stages)
        say(
          `${title.padEnd(36)} ${formatCount(rows).padStart(11)} rows ${took.toFixed(1).padStart(7)} s${resumed ? ', begun before' : ''}`,
        );
      if (stages.length === 0) throw new CommandFailure('The region is made already.');
      say(`Made in ${seconds.toFixed(0)} s. Sign in as larissa with ${demoPasswordOf('larissa')}.`);
    } catch (error) {
      progress.end();
      if (error instanceof RegionRefused || error instanceof BgpTableRefused) throw new CommandFailure(error.message);
      throw error;
    }
  },
  'demo reset': async context => {
    onlyInDemoMode(context);
    if (!context.options['yes']) {
      const answer = await context.ask('This deletes everything in the database. Continue?');
      if (answer === null) throw new CommandFailure('This deletes everything in the database. Add --yes to confirm.');
      if (!answer) throw new CommandFailure('Nothing was deleted.');
    }
    const db = await context.openDatabase();
    await emptyDatabase(db);
    await loadDemo(db, optionsOf(context));
    context.say('Everything was deleted and the demo registry loaded.');
  },
} satisfies CommandRuns;
