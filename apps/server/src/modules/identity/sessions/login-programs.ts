import type { ActivityInfo, Database, Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';

/** A program that acts in a person's name, such as one with an API key, or another system that signs them in. */
export type LoginProgram = {
  /** Unique among the programs of all modules. */
  programId: string;
  label: string;
  /** Empty if it acts for the person alone, such as another system. */
  accountName: string;
  /** Its recognisable name: `API key mr_live_7Qm2Kx41`. */
  knownAs: string;
  /** Null if it was never used; with its address if known. */
  lastUse: { at: string; address: string | null } | null;
  /** Null if it doesn't expire. */
  expiresAt: string | null;
};

/** Programs that one module admits, listed and ended beside a person's sessions. */
export type LoginPrograms = {
  list: (read: Read, login: { loginId: string; now: Date }) => Promise<LoginProgram[]>;
  /** Ends one of a person's programs; false if it isn't theirs or has already ended. */
  end: (
    db: Database,
    origin: Omit<ActivityInfo, 'action' | 'summary'>,
    program: { loginId: string; name: string; programId: string },
  ) => Promise<boolean>;
};

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Programs that act in a person's name. */
    loginPrograms?: (context: ModuleContext) => LoginPrograms;
  }
}
