import { conflictInWords } from '@portal/contract/staff-permission-words';
import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import { type Conflict, conflictsIn, type ReadyMadeRole, readyMadeRoleKeys, readyMadeRoles } from '@portal/contract/staff-roles';
import {
  createLogin,
  disableLogin,
  enableLogin,
  addAuthenticator,
  findLogin,
  newPasswordProblem,
  mintToken,
  resetSecondFactors,
  rotateSigningKeys,
  setPassword,
  unfreezeLogin,
} from '../modules/identity/index.ts';
import { assignRole, holdersOf, lockRoles, withdrawByOperator } from '../modules/roles/index.ts';
import type { ActOf } from '../platform/activity-words.ts';
import { type ActivityInfo, ownActivity } from '../platform/database/index.ts';
import { Failure } from '../platform/failure.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { type CommandRuns, CommandFailure, type CommandContext } from './command.ts';
import { resealSecrets } from './resealed-secrets.ts';

const activity = (action: ActOf<'operator'>, summary: string): ActivityInfo => ownActivity(`operator.${action}`, summary);

const known = async (context: CommandContext, name: string): Promise<string> => {
  const db = await context.openDatabase();
  const login = await findLogin(db.read, name);
  if (!login) throw new CommandFailure(`There is no login with the name or e-mail address ${name}.`);
  return login.loginId;
};

/**
 * The roles of the first administrator: those named, or all ready-made ones that policy allows in one pair of hands, the administrator's first.
 * @throws CommandFailure for unknown roles, conflicts, and without one that administers staff
 */
function firstRoles(named: unknown, conflicts: readonly Conflict[]): ReadyMadeRole[] {
  const wanted = typeof named === 'string' ? named.split(',').map(each => each.trim()) : ['administrator', ...readyMadeRoleKeys];
  const roles: ReadyMadeRole[] = [];
  for (const name of wanted) {
    const key = readyMadeRoleKeys.find(each => each === name);
    if (!key) throw new CommandFailure(`There is no role ${name}. The roles are ${readyMadeRoleKeys.join(', ')}.`);
    const [conflict] = conflictsIn(
      [...roles, key].flatMap(each => readyMadeRoles[each].permissions),
      conflicts,
    );
    if (conflict && named !== undefined)
      throw new CommandFailure(`Policy keeps ${conflictInWords(conflict)} in different hands (staffConflicts of the registry profile).`);
    if (!conflict && !roles.includes(key)) roles.push(key);
  }
  if (!roles.some(key => (readyMadeRoles[key].permissions as readonly string[]).includes('staff')))
    throw new CommandFailure('The first person needs a role that administers staff: add administrator to --roles.');
  return roles;
}

/** The functions of these commands; commands.ts declares their names, options and help. */
export const loginCommands = {
  token: async context => {
    if (!context.config.demoMode) throw new CommandFailure('Tokens are handed out in demo mode only.');
    const db = await context.openDatabase();
    context.say(await mintToken(db, context.config, context.args[0]!, { mfa: context.options['mfa'] === true }));
  },
  'staff add': async context => {
    const [username, email] = context.args as [string, string];
    const password = context.input.replace(/\r?\n$/, '');
    if (password === '')
      throw new CommandFailure('Give the password on standard input: printf %s "$PASSWORD" | npm run registry -- staff add NAME EMAIL');
    const db = await context.openDatabase();
    const fullName = String(context.options['full-name'] ?? username);
    const wrong = await newPasswordProblem(db.read, context, password, { secondFactor: true, context: { username, email, fullName } });
    if (wrong !== null) throw new CommandFailure(wrong);
    const roles = firstRoles(context.options['roles'], context.profile.staffConflicts);
    const secret = await db.change(activity('addStaff', `Added registry staff ${username}`), async change => {
      await lockRoles(change);
      const [administrator] = await holdersOf(change, ['staff'], change.now);
      if (administrator)
        throw new CommandFailure(
          `${administrator.fullName} administers staff already, and invites others on the page “Staff and roles” of the desk.`,
        );
      const loginId = await createLogin(change, { username: username.toLowerCase(), email, fullName, staff: true, emailVerified: true });
      await setPassword(change, loginId, password);
      for (const role of roles)
        await assignRole(
          change,
          { loginId, fullName },
          { role, reason: 'First administrator, by the command line' },
          { by: null, profile: context.profile },
        );
      return addAuthenticator(change, context.config, { loginId });
    });
    context.say(
      `Added ${username} with the roles ${roles.map(role => readyMadeRoles[role].name).join(', ')}. Others are invited on the page “Staff and roles” of the desk.`,
    );
    context.say(`Staff pages need a second factor: put this key into an authenticator app, it is shown only now.`);
    context.say(secret);
  },
  'login disable': async context => {
    const name = context.args[0]!;
    const loginId = await known(context, name);
    const evenLast = context.options['last-administrator'] === true;
    const db = await context.openDatabase();
    const roles = await db.change(activity('disableLogin', `Disabled the login ${name}`), async change => {
      const withdrawn = await withdrawByOperator(change, loginId, { evenLast }).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== 'LAST_ADMINISTRATOR') throw error;
        throw new CommandFailure(
          `${error.message}, or disable the login nevertheless with --last-administrator, and add another administrator then.`,
        );
      });
      await disableLogin(change, loginId);
      await change.note({ login: name, ...(withdrawn.length > 0 && { roles: withdrawn }), ...(evenLast && { lastAdministrator: true }) });
      return withdrawn;
    });
    context.say(`${name} can no longer sign in; all its sessions are ended.`);
    if (roles.length > 0) context.say(`Its roles are withdrawn: ${roles.join(', ')}. “login enable” does not give them back.`);
    if (evenLast) context.say('Add an administrator with “registry staff add” if no one else administers staff now.');
  },
  'login enable': async context => {
    const name = context.args[0]!;
    const loginId = await known(context, name);
    const db = await context.openDatabase();
    const enabled = await db.change(activity('enableLogin', `Enabled the login ${name}`), async change => {
      await change.note({ login: name });
      return enableLogin(change, loginId);
    });
    if (enabled === 'erased') throw new CommandFailure(`The person of the login ${name} was erased: it can’t be used again.`);
    if (enabled === 'not disabled') throw new CommandFailure(`The login ${name} is not disabled.`);
    context.say(`${name} can sign in again. Roles of registry staff that were withdrawn stay so; an administrator gives them.`);
  },
  'login unfreeze': async context => {
    const loginId = await known(context, context.args[0]!);
    const db = await context.openDatabase();
    const unfrozen = await db.change(activity('unfreezeLogin', `Unfroze the login ${context.args[0]}`), change =>
      unfreezeLogin(change, context.config, loginId),
    );
    if (!unfrozen) throw new CommandFailure(`The login ${context.args[0]} is not frozen.`);
    context.say(`${context.args[0]} can sign in again; for ${coolDownHours} hours the login changes nothing in the registry.`);
  },
  'login reset-mfa': async context => {
    const loginId = await known(context, context.args[0]!);
    const db = await context.openDatabase();
    await db.change(activity('resetMfa', `Removed the second factors of ${context.args[0]}`), change =>
      resetSecondFactors(change, loginId),
    );
    context.say(`The second factors of ${context.args[0]} are removed; all its sessions are ended.`);
  },
  'keys rotate': async context => {
    const db = await context.openDatabase();
    const { config } = context;
    await rotateSigningKeys(db, openSecretBox(config), {
      tokenSeconds: config.tokenSeconds,
      activity: activity('rotateKeys', 'Rotated the keys that sign tokens'),
    });
    context.say('New keys sign from now on. The old ones are published until the last token they signed has expired.');
  },
  'keys reseal': async context => {
    const { config } = context;
    if (config.secretKeyOld === '')
      throw new CommandFailure('Set SECRET_KEY_OLD to the previous SECRET_KEY, so that its secrets can be sealed again.');
    const resealed = await resealSecrets(
      await context.openDatabase(),
      openSecretBox(config),
      activity('resealSecrets', 'Sealed the secrets at rest with the new SECRET_KEY'),
    );
    const words = Object.entries(resealed).map(([kind, count]) => `${kind} ${count}`);
    context.say(`Sealed again: ${words.join(', ')}. SECRET_KEY_OLD can go in a week.`);
  },
} satisfies CommandRuns;
