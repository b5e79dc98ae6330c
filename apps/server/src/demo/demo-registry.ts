import { type StaffPermission } from '@portal/contract';
import { readyMadeRoles } from '@portal/contract/staff-roles';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { membershipOf } from '../modules/accounts/index.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Database } from '../platform/database/index.ts';
import type { DemoLogin, DemoRegistry } from '../platform/demo.ts';
import { type DemoPerson, demoPeople } from './people.ts';

const traceId = '0'.repeat(32);

const demoPermissions = (role: NonNullable<DemoPerson['roles']>[number]): readonly StaffPermission[] =>
  role === 'Fees' ? ['policy'] : readyMadeRoles[role].permissions;

/** Returns the demo registry as the parts of modules are handed it. */
export function demoRegistry(
  db: Database,
  options: Pick<DemoRegistry, 'config' | 'profile' | 'today' | 'store'>,
  logins: ReadonlyMap<string, DemoLogin>,
): DemoRegistry {
  const loginOf = (username: string): DemoLogin => {
    const login = logins.get(username);
    if (!login) throw new Error(`${username} is not a demo person`);
    return login;
  };
  const callerOf = (username: string): Caller => {
    const { loginId, fullName, email } = loginOf(username);
    const person = demoPeople.find(each => each.username === username)!;
    return {
      loginId,
      issuer: '',
      subject: '',
      name: fullName,
      email,
      sid: null,
      amr: [],
      acr: null,
      authTime: null,
      expiresAt: 0,
      mfa: person.totpSecret !== undefined,
      staff: person.roles !== undefined,
      staffPermissions: new Set((person.roles ?? []).flatMap(role => demoPermissions(role))),
    };
  };
  return {
    ...options,
    db,
    loginOf,
    callerOf,
    change: (line, run) => db.change({ ...line, traceId }, run),
    changeAs: async ({ person, accountName, daysAgo = 0, dated, run, ...words }) => {
      const caller = callerOf(person);
      const happenedAt = instantBefore(options.today, daysAgo * DAY_MS);
      const account = await membershipOf(db.read, caller, accountName);
      if (!account) throw new Error(`${person} is not a contact of ${accountName}`);
      await db.change(
        {
          ...words,
          traceId,
          accountName,
          contactId: account.contactId,
          ...(daysAgo > 0 && { happenedAt }),
        },
        async change => void (await run(dated ? Object.assign(change, { now: happenedAt }) : change, { account, caller })),
      );
    },
  };
}

/** Returns the demo registry that is in a database, for tests that add a part to it. */
export async function loadedDemo(db: Database, options: Parameters<typeof demoRegistry>[1]): Promise<DemoRegistry> {
  const people = await db.read.selectFrom('login').select(['username', 'loginId', 'fullName', 'email']).execute();
  return demoRegistry(db, options, new Map(people.map(({ username, ...login }) => [username, login])));
}
