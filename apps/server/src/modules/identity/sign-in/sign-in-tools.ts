import type { Profile } from '../../../profile.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import type { Forms } from '../pages/forms.ts';
import type { Call, Interactions, Progress, SignIn } from './interactions.ts';
import type { ProviderMiddleware } from '../protocol/provider-mount.ts';
import type { Login } from '../logins/logins.ts';
import type { SignInPages } from './sign-in-pages.ts';
import type { Registration } from '../registration/registration.ts';
import type { Gate } from './second-factor-gate.ts';
import type { FailureLines } from '../attempts/sign-in-failures.ts';

export type SignInOptions = {
  db: Database;
  config: Config;
  box: SecretBox;
  forms: Forms;
  pages: SignInPages;
  /** Name of the portal, as authenticator apps and passkeys show it. */
  profile: Profile;
  provider: () => Provider;
  /** Answers a raw request as the provider does. */
  atProvider: ProviderMiddleware;
  /** Returns the account that the portal shows a person first; null for none. */
  firstAccountOf: (loginId: string) => Promise<string | null>;
  clock: () => Date;
  log: Log;
  registration: Registration;
  /** Words of changes by the ids of their endpoints. */
  actWords: ReadonlyMap<string, string>;
  /** Returns whether a person holds a permission that changes the registry, in any account (setting REQUIRE_MFA). */
  holdsPrivilege: (loginId: string) => Promise<boolean>;
};

/** The next step of a sign-in. */
export type Step = 'password' | 'login disabled' | 'login frozen' | 'recovery codes' | Gate;

/** Shared by the pages of sign-in. */
export type SignInTools = SignInOptions & {
  interactions: Interactions;
  failed: FailureLines;
  /** Returns the person and place of a request, for the activity log and notices. */
  originOf: (request: FastifyRequest, login: Login | null) => ActivityOrigin;
  stepOf: (signIn: SignIn) => Promise<Step>;
  /** Stores the progress, and leads to the next page or ends the sign-in. */
  goOn: (request: Call, reply: FastifyReply, signIn: SignIn & { progress: Progress }) => Promise<FastifyReply>;
  /** Tells browser and person how long to wait. */
  wait: (reply: FastifyReply, attempt: { waitSeconds: number }) => string;
};
