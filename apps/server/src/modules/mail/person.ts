import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** Somebody with a login, as e-mails are written to them. */
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
    /** Who a login belongs to. The one module that keeps logins declares it; mail and notifications stand above it. */
    personOf?: PersonOf;
  }
}

/** Returns how the module that keeps logins answers who somebody is. */
export function personOfModules({ modules }: Pick<ModuleContext, 'modules'>): PersonOf {
  const personOf = modules.find(module => module.personOf)?.personOf;
  if (!personOf) throw new Error('No module declares personOf: somebody has to know the logins.');
  return personOf;
}
