import os from 'node:os';
import { openFiles } from '../modules/documents/index.ts';
import { takeMail } from '../modules/tickets/index.ts';
import { giveWay } from '../platform/give-way.ts';
import { CommandFailure, type CommandRuns } from './command.ts';

/** As mail servers read it (sysexits.h): the sender gets the mail back with what was said. */
const EX_NOPERM = 77;

/** The functions of these commands; commands.ts declares their names, options and help. */
export const mailCommands = {
  'mail-in': async ({ config, options, input, openDatabase, say }) => {
    // A mail can wait: people who work in the portal on the same machine go first.
    giveWay(os.constants.priority.PRIORITY_LOW);
    if (input === '') throw new CommandFailure('Give the e-mail on standard input.', EX_NOPERM);
    const { sender, recipient } = options as { sender?: string; recipient?: string };
    const { outcome, words } = await takeMail(
      { db: await openDatabase(), config, store: openFiles(config), now: new Date() },
      Buffer.from(input, 'latin1'),
      { sender, recipient },
    );
    if (outcome === 'refused') throw new CommandFailure(words, EX_NOPERM);
    say(words);
  },
} satisfies CommandRuns;
