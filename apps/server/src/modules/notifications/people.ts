import type { Change, Read } from '../../platform/database/index.ts';

/** Facts about people needed for notifications, supplied by the module that stores logins. */
export type People = {
  /** Returns the login with this verified address, if it can be used. */
  loginOfAddress: (read: Read, email: string) => Promise<string | null>;
  /** Whether the person of a login was erased. */
  isErased: (read: Read, loginId: string) => Promise<boolean>;
  /** Returns the login that makes the change; null for the registry's own work, or without a sign-in. */
  actor: (change: Change) => Promise<string | null>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Returns the addresses a person wants for topics and has not confirmed yet. The module that mails the links declares it. */
    askedAddresses?: (read: Read, loginId: string) => Promise<{ topic: string; email: string }[]>;
  }
}
