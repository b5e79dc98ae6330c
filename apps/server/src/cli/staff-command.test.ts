import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestCopy, migratedDatabase } from '../../test/database/migrated-database.ts';
import { readConfig } from '../config.ts';
import { checkInvariants } from '../platform/invariants.ts';
import { rolesModule, staffPermissionsOf } from '../modules/roles/index.ts';
import { readProfile } from '../profile.ts';
import type { CommandContext } from './command.ts';
import { loginCommands } from './login-commands.ts';

const config = readConfig({ NODE_ENV: 'test', APP_URL: 'http://portal.test', DATABASE_URL: 'memory://', LOG_LEVEL: 'silent' });
const profile = readProfile('');
let made: TestCopy;
beforeAll(async () => {
  made = await migratedDatabase('embedded');
});
afterAll(() => made[Symbol.asyncDispose]());

/** Runs a command as an operator, and returns what it says. */
async function run(name: keyof typeof loginCommands, args: string[], options: CommandContext['options'] = {}): Promise<string> {
  const said: string[] = [];
  const context = { config, profile, args, options, input: 'a pass phrase of nine words', say: (line: string) => said.push(line) };
  await loginCommands[name]({ ...context, openDatabase: () => Promise.resolve(made.database) } as unknown as CommandContext);
  return said.join('\n');
}

test('the command line makes the first administrator with the roles that policy allows together, and no other', async () => {
  const add = (options: CommandContext['options'] = {}) => run('staff add', ['ines', 'ines@registry.test'], options);
  await expect(add({ roles: 'finance,director,administrator' })).rejects.toThrow(
    'Policy keeps “Record payments” and “Write off and refund” in different hands',
  );
  await expect(add({ roles: 'finance' })).rejects.toThrow('The first person needs a role that administers staff');
  await expect(add({ roles: 'hostmistress' })).rejects.toThrow('There is no role hostmistress. The roles are hostmaster, finance,');
  expect(await add()).toMatch(
    /^Added ines with the roles Administrator, Hostmaster, Finance, Support, Elections officer, Scrutineer, Routing, Auditor\. Others are invited/,
  );
  const { loginId } = await made.database.read.selectFrom('login').select('loginId').executeTakeFirstOrThrow();
  const held = await staffPermissionsOf(made.database.read, loginId, new Date());
  expect([held.has('staff'), held.has('payments'), held.has('write-offs')]).toEqual([true, true, false]);
  const context = { db: made.database, modules: [rolesModule], profile, clock: () => new Date(), config };
  expect(await checkInvariants(context, null)).toEqual([]);
  await expect(run('staff add', ['tomas', 'tomas@registry.test'])).rejects.toThrow(
    'ines administers staff already, and invites others on the page “Staff and roles” of the desk.',
  );
  await expect(run('login disable', ['ines'])).rejects.toThrow('ines is the last person who can administer staff');
  // An administrator who can't sign in is none: the command makes another one.
  await made.database.change({ action: 'test', summary: 'Froze', traceId: '0'.repeat(32) }, change =>
    change.updateTable('login').set({ frozenAt: change.now, frozenEmail: 'ines@registry.test' }).where('username', '=', 'ines').execute(),
  );
  expect(await checkInvariants(context, null)).toMatchObject([{ name: 'roles.administrator' }]);
  expect(await run('staff add', ['tomas', 'tomas@registry.test'])).toMatch(/^Added tomas/);
});

test('an operator stops the last administrator too, who is hostile, makes another one, and lets a login in again without its roles', async () => {
  // After the test before, tomas administers alone.
  await expect(run('login disable', ['tomas'])).rejects.toThrow(/tomas is the last person who can administer staff.* --last-administrator/);
  const logins = () =>
    made.database.read.selectFrom('login').select(['loginId', 'disabledAt']).where('username', '=', 'tomas').executeTakeFirstOrThrow();
  const { loginId } = await logins();
  expect(await run('login disable', ['tomas'], { 'last-administrator': true })).toMatch(
    /tomas can no longer sign in[^]*Its roles are withdrawn: Administrator, Hostmaster[^]*“login enable” does not give them back[^]*“registry staff add”/,
  );
  const lastLine = () =>
    made.database.read
      .selectFrom('activity')
      .select(['action', 'details'])
      .orderBy('activityId', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  expect(await lastLine()).toMatchObject({
    action: 'operator.disableLogin',
    details: { login: 'tomas', lastAdministrator: true, roles: expect.arrayContaining(['Administrator']) },
  });
  expect((await staffPermissionsOf(made.database.read, loginId, new Date())).size).toBe(0);
  expect(await run('staff add', ['noor', 'noor@registry.test'])).toMatch(/^Added noor/);
  await expect(run('login enable', ['noor'])).rejects.toThrow('The login noor is not disabled.');
  expect(await run('login enable', ['tomas'])).toMatch(/^tomas can sign in again\. Roles .* stay so/);
  expect(await lastLine()).toMatchObject({ action: 'operator.enableLogin', details: { login: 'tomas' } });
  expect((await logins()).disabledAt).toBeNull();
  expect((await staffPermissionsOf(made.database.read, loginId, new Date())).size).toBe(0);
  // Beside another administrator nothing has to be said.
  expect(await run('login disable', ['tomas'])).toMatch(/^tomas can no longer sign in/);
});
