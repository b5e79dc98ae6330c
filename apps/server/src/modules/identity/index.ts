export { type AddressAct, addressLink } from './account/address-pages.ts';
export type { PlainReader, PlainSessions } from './account/plain-sessions.ts';
export { attempt, clearAttempts, waitWords } from './attempts/sign-in-failures.ts';
export { mintToken } from './bearers/demo-token.ts';
export type { PersonGroups } from './bearers/foreign-person.ts';
export { type CopyStorage, copyStorageOf } from './copies/copy-storage.ts';
export { addErasure, addressesOfRecord, endErasure, type ErasureObstacle, LAST_MAIL_DAYS, lastMail } from './erasure/erasures.ts';
export { addAuthenticator, resealAuthenticators } from './factors/authenticators.ts';
export { coolDownOf } from './factors/cool-down.ts';
export { hasFactor, hasPasswordAlone, resetSecondFactors } from './factors/second-factors.ts';
export { unfreezeLogin } from './freeze/freeze.ts';
export { type Identity, openIdentity, refuseDemoPeople } from './identity.ts';
export { canAct } from './logins/can-act.ts';
export { emailAddressProblem } from './logins/email-address.ts';
export { refuseLinkGuesses } from './logins/link-guesses.ts';
export { endLink, type LinkFound, type LoginLink, makeLink, readLink, takeLink } from './logins/login-links.ts';
export {
  createLogin,
  demoPasswordOf,
  disableLogin,
  enableLogin,
  endStaffLogin,
  findLogin,
  type Login,
  lockLogin,
  loginById,
  makeStaff,
  senderAt,
  setPassword,
} from './logins/logins.ts';
export { createLogins } from './logins/many-logins.ts';
export { notifyPeople } from './logins/notify-people.ts';
export { isReadable } from './logins/readable-name.ts';
export { identityModule } from './module.ts';
export { facts, section } from './pages/account-frame.ts';
export { fromOurPages } from './pages/forms.ts';
export { newPasswordProblem } from './passwords/password-policy.ts';
export { announceLive } from './sessions/live-events.ts';
export type { LoginPrograms } from './sessions/login-programs.ts';
export { endSessions, lastSignInOf } from './sessions/sessions.ts';
export { ensureSigningKeys, resealSigningKeys, rotateSigningKeys } from './sessions/signing-keys.ts';
