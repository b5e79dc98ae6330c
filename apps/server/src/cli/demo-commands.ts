import { demoPeople, emptyDatabase, ensureDemo, loadDemo } from '../demo/index.ts';
import { openFiles } from '../modules/documents/index.ts';
import { demoPasswordOf } from '../modules/identity/index.ts';
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
