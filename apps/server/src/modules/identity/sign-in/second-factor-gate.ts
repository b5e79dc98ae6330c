import type { Config } from '../../../config.ts';
import type { Read } from '../../../platform/database/index.ts';
import { listAuthenticators } from '../factors/authenticators.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import type { Login } from '../logins/logins.ts';
import { listPasskeys } from '../factors/passkeys.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { mustHaveSecondFactor } from '../factors/second-factors.ts';

/** A method to prove a second factor, named as in the paths of its pages. */
export type SecondFactorMethod = 'code' | 'passkey' | 'recovery';

/** The second factors of a person as they count at sign-in. */
export type SecondFactors = {
  /** There is one, even if too many wrong codes switched it off: the password alone is not enough then. */
  enrolled: boolean;
  /** Usable methods, most recently used first; recovery codes come last. */
  ways: readonly SecondFactorMethod[];
};

export async function secondFactorsOf(read: Read, loginId: string): Promise<SecondFactors> {
  const [apps, passkeys, codesLeft] = await Promise.all([
    listAuthenticators(read, loginId),
    listPasskeys(read, loginId),
    recoveryCodesLeft(read, loginId),
  ]);
  const latest = (factors: readonly { enrolledAt: string; lastUsedAt: string | null }[]): number =>
    Math.max(0, ...factors.map(({ enrolledAt, lastUsedAt }) => new Date(lastUsedAt ?? enrolledAt).getTime()));
  const code = { way: 'code' as const, at: latest(apps.filter(({ disabledAt }) => disabledAt === null)) };
  const passkey = { way: 'passkey' as const, at: latest(passkeys) };
  const usable = [code, passkey].filter(({ at }) => at > 0).sort((one, other) => other.at - one.at);
  return {
    enrolled: apps.length + passkeys.length > 0,
    ways: [...usable.map(({ way }) => way), ...(codesLeft > 0 ? (['recovery'] as const) : [])],
  };
}

/** The step between a proven password and the session: nothing, a second factor, or the enrolment of one. */
export type Gate = 'none' | 'second factor' | 'enrolment' | 'offer of enrolment';

export type GateOptions = {
  config: Config;
  /** Returns whether a person holds a permission that changes the registry, in any account. */
  holdsPrivilege: (loginId: string) => Promise<boolean>;
};

/**
 * Returns the step that REQUIRE_MFA demands. `off`: a second factor only where something needs it. `privileged`: for every person who has one; staff
 * and those who may change the registry must enrol one, except demo people. `all`: every person has one. After a password reset, a lost
 * factor or a used recovery code it is required for a day regardless of the setting.
 * @param needed true if the requested action needs one.
 */
export async function gateOf(
  { config, holdsPrivilege }: GateOptions,
  read: Read,
  login: Login,
  { needed, now }: { needed: boolean; now: Date },
): Promise<Gate> {
  const { requireMfa } = config;
  const { enrolled } = await secondFactorsOf(read, login.loginId);
  if (enrolled) return needed || requireMfa !== 'off' || (await coolDownOf(read, login.loginId, now)) ? 'second factor' : 'none';
  if (await mustHaveSecondFactor({ config, holdsPrivilege }, login)) return 'enrolment';
  return needed ? 'offer of enrolment' : 'none';
}
