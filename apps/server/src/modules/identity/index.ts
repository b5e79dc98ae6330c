export { mintToken } from './demo-token.ts';
export { type Identity, type IdentityOptions, openIdentity } from './identity.ts';
export {
  addSubject,
  createLogin,
  demoPasswordOf,
  disableLogin,
  enrolTotp,
  findLogin,
  hasSecondFactor,
  type Login,
  loginById,
  type NewLogin,
  resetSecondFactors,
  setPassword,
} from './logins.ts';
export { peopleRoutes } from './people.ts';
export { openSecretBox, type SecretBox } from './secret-box.ts';
export { endSession, endSessions } from './sessions.ts';
export { rotateSigningKeys } from './signing-keys.ts';
