import {
  createLogin,
  disableLogin,
  addAuthenticator,
  findLogin,
  judgeNewPassword,
  mintToken,
  resetSecondFactors,
  rotateSigningKeys,
  setPassword,
  unfreezeLogin,
} from '../modules/identity/index.ts';
import type { ActOf } from '../platform/activity-words.ts';
import { type ActivityInfo, ownActivity } from '../platform/database/index.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { type Command, CommandFailure, type CommandContext } from './command.ts';
import { resealSecrets } from './resealed-secrets.ts';

const activity = (action: ActOf<'operator'>, summary: string): ActivityInfo => ownActivity(`operator.${action}`, summary);

const known = async (context: CommandContext, name: string): Promise<string> => {
  const db = await context.openDatabase();
  const login = await findLogin(db.read, name);
  if (!login) throw new CommandFailure(`There is no login with the name or e-mail address ${name}.`);
  return login.loginId;
};

/** Operators' first aid. */
export const loginCommands: readonly Command[] = [
  {
    name: 'token',
    args: ['NAME'],
    options: { mfa: { type: 'boolean' } },
    summary: 'print a bearer for a demo person, for curl and tests (demo mode only)',
    help: ['--mfa  as in a session with a second factor'],
    run: async context => {
      if (!context.config.demoMode) throw new CommandFailure('Tokens are handed out in demo mode only.');
      const db = await context.openDatabase();
      context.say(await mintToken(db, context.config, context.args[0]!, { mfa: context.options['mfa'] === true }));
    },
  },
  {
    name: 'staff add',
    args: ['NAME', 'EMAIL'],
    options: { 'full-name': { type: 'string' } },
    readsInput: true,
    summary: 'add a login for registry staff; its password is read from standard input',
    help: ['--full-name …  name shown to others; NAME unless given'],
    run: async context => {
      const [username, email] = context.args as [string, string];
      const password = context.input.replace(/\r?\n$/, '');
      if (password === '')
        throw new CommandFailure('Give the password on standard input: printf %s "$PASSWORD" | npm run registry -- staff add NAME EMAIL');
      const db = await context.openDatabase();
      const fullName = String(context.options['full-name'] ?? username);
      const wrong = await judgeNewPassword(db.read, context, password, { secondFactor: true, context: { username, email, fullName } });
      if (wrong !== null) throw new CommandFailure(wrong);
      const secret = await db.change(activity('addStaff', `Added registry staff ${username}`), async change => {
        const loginId = await createLogin(change, { username: username.toLowerCase(), email, fullName, staff: true, emailVerified: true });
        await setPassword(change, loginId, password);
        return addAuthenticator(change, context.config, { loginId });
      });
      context.say(`Added ${username}. Staff pages need a second factor: put this key into an authenticator app, it is shown only now.`);
      context.say(secret);
    },
  },
  {
    name: 'login disable',
    args: ['NAME'],
    summary: 'disable a login and end its sessions immediately',
    run: async context => {
      const loginId = await known(context, context.args[0]!);
      const db = await context.openDatabase();
      await db.change(activity('disableLogin', `Disabled the login ${context.args[0]}`), change => disableLogin(change, loginId));
      context.say(`${context.args[0]} can no longer sign in; all its sessions are ended.`);
    },
  },
  {
    name: 'login unfreeze',
    args: ['NAME'],
    summary: 'unfreeze a login after you verified its owner',
    run: async context => {
      const loginId = await known(context, context.args[0]!);
      const db = await context.openDatabase();
      const unfrozen = await db.change(activity('unfreezeLogin', `Gave the frozen login ${context.args[0]} back`), change =>
        unfreezeLogin(change, context.config, loginId),
      );
      if (!unfrozen) throw new CommandFailure(`The login ${context.args[0]} is not frozen.`);
      context.say(`${context.args[0]} can sign in again; for 24 hours the login changes nothing in the registry.`);
    },
  },
  {
    name: 'login reset-mfa',
    args: ['NAME'],
    summary: 'remove the second factors of a login and end its sessions',
    run: async context => {
      const loginId = await known(context, context.args[0]!);
      const db = await context.openDatabase();
      await db.change(activity('resetMfa', `Removed the second factors of ${context.args[0]}`), change =>
        resetSecondFactors(change, loginId),
      );
      context.say(`The second factors of ${context.args[0]} are removed; all its sessions are ended.`);
    },
  },
  {
    name: 'keys rotate',
    summary: 'sign tokens with new keys from now on; nobody is signed out',
    run: async context => {
      const db = await context.openDatabase();
      const { config } = context;
      await rotateSigningKeys(db, openSecretBox(config), {
        tokenSeconds: config.tokenSeconds,
        activity: activity('rotateKeys', 'Rotated the keys that sign tokens'),
      });
      context.say('New keys sign from now on. The old ones are published until the last token they signed has expired.');
    },
  },
  {
    name: 'keys reseal',
    summary: 'seal with SECRET_KEY what was sealed with SECRET_KEY_OLD, so that the old key can go',
    help: [
      'To replace SECRET_KEY: set SECRET_KEY_OLD to it and SECRET_KEY to a new one, start every process anew, then call this.',
      'All sessions continue. Remove SECRET_KEY_OLD a week later, when links in earlier e-mails have expired.',
    ],
    run: async context => {
      const { config } = context;
      if (config.secretKeyOld === '')
        throw new CommandFailure('Set SECRET_KEY_OLD to the previous SECRET_KEY, so that its secrets can be sealed again.');
      const resealed = await resealSecrets(
        await context.openDatabase(),
        openSecretBox(config),
        activity('resealSecrets', 'Sealed the secrets at rest with the new SECRET_KEY'),
      );
      const words = Object.entries(resealed).map(([kind, count]) => `${kind} ${count}`);
      context.say(`Sealed anew: ${words.join(', ')}. SECRET_KEY_OLD can go in a week.`);
    },
  },
];
