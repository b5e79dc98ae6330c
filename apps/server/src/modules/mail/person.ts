import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** A person with a login, as e-mails address them. */
export type Person = {
  username: string;
  fullName: string;
  email: string;
  emailVerified: boolean;
  /** Since when they can't sign in any more. */
  disabledAt: string | null;
};

/** Returns who a login belongs to; null when there is none. */
export type PersonOf = (read: Read, loginId: string) => Promise<Person | null>;

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Returns the owner of a login. The module that stores logins declares it; mail and notifications are lower modules. */
    personOf?: PersonOf;
  }
}

/** Returns the function with which the module that stores logins looks people up. */
export function personOfModules({ modules }: Pick<ModuleContext, 'modules'>): PersonOf {
  const personOf = modules.find(module => module.personOf)?.personOf;
  if (!personOf) throw new Error('No module declares personOf. One has to know the logins.');
  return personOf;
}
