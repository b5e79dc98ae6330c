import type { ActivityInfo, Database, Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';

/** A program that acts in a person's name, such as one with an API key, or another system that signs them in. */
export type LoginProgram = {
  /** Unique among the programs of all modules. */
  programId: string;
  label: string;
  /** Empty for what acts for the person alone, such as another system. */
  accountName: string;
  /** Its recognisable name: `API key mr_live_7Qm2Kx41`. */
  knownAs: string;
  /** Null where it was never used; its address, where it calls from one. */
  lastUse: { at: string; address: string | null } | null;
  /** Null where it has no end. */
  expiresAt: string | null;
};

/** Programs that one module lets in: what a person sees beside their sessions, and ends there. */
export type LoginPrograms = {
  list: (read: Read, login: { loginId: string; now: Date }) => Promise<LoginProgram[]>;
  /** Ends one of a person's programs; false where it is none of theirs, or has ended. */
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
