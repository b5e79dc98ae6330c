export { coolDownOf } from './cool-down.ts';
export { mintToken } from './demo-token.ts';
export { type Identity, openIdentity } from './identity.ts';
export { addAuthenticator } from './authenticators.ts';
export { createLogin, demoPasswordOf, disableLogin, findLogin, setPassword } from './logins.ts';
export { peopleRoutes } from './people.ts';
export { resetSecondFactors } from './second-factors.ts';
export { endSessions } from './sessions.ts';
export { ensureSigningKeys, rotateSigningKeys } from './signing-keys.ts';
