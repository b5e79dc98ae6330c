import { billingCommands } from './billing-commands.ts';
import type { Command } from './command.ts';
import { databaseCommands } from './database-commands.ts';
import { demoCommands } from './demo-commands.ts';
import { loginCommands } from './login-commands.ts';
import { rpkiCommands } from './rpki-commands.ts';
import { rpslCommands } from './rpsl-commands.ts';
import { statisticsCommands } from './statistics-commands.ts';

/** All commands of `npm run registry --`. */
export const commands: readonly Command[] = [
  ...databaseCommands,
  ...demoCommands,
  ...statisticsCommands,
  ...rpslCommands,
  ...rpkiCommands,
  ...loginCommands,
  ...billingCommands,
];
