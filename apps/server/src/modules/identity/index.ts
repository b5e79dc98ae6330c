export { mintToken } from './demo-token.ts';
export { type Identity, openIdentity } from './identity.ts';
export { createLogin, demoPasswordOf, disableLogin, enrolTotp, findLogin, resetSecondFactors, setPassword } from './logins.ts';
export { peopleRoutes } from './people.ts';
export { endSessions } from './sessions.ts';
export { openSecretBox } from './secret-box.ts';
export { ensureSigningKeys, rotateSigningKeys } from './signing-keys.ts';
