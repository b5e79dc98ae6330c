import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const identityTexts = mailTexts('identity', {
  dataCopyRequested: {
    topic: 'login.security',
    subject: 'A copy of your data was requested',
    body: ['Someone who is logged in as you requested a copy of what the registry keeps about you.'],
  },
  dataCopyReady: {
    topic: 'login.security',
    subject: 'The copy of your data is ready',
    body: ['You can download it in “Your login” until {copyUntil}. Then it is deleted.'],
  },
  dataCopyDownloaded: {
    topic: 'login.security',
    subject: 'A copy of your data was downloaded',
    body: ['Someone who is logged in as you downloaded the copy of what the registry keeps about you.'],
  },
  erasureRequested: {
    topic: 'login.security',
    subject: 'Erasure of your data was requested',
    body: [
      '{outcome} to erase your data. From {erasedFrom} the registry can do it: your login ends and can’t be restored.',
      'Until then you can take the request back in “Your login”, “Erasure”. If you can’t log in, write to us.',
    ],
    says: { outcome: 'Someone who is logged in as you asked the registry' },
  },
  erasureWithdrawn: {
    topic: 'login.security',
    subject: 'The request to erase your data was taken back',
    body: ['Your data stays as it is. You can ask again at any time.'],
  },
  erasureRefused: {
    topic: 'login.security',
    subject: 'Your data was not erased',
    body: ['The registry can’t erase your data as requested.', '{reason}', 'You can ask again at any time.'],
  },
  erasureDone: {
    topic: 'login.security',
    subject: 'Your data was erased',
    body: [
      'As requested, the registry erased your data. Your login has ended, and its name, addresses, passwords and keys are deleted.',
      'What the law or the registry’s records need is kept, as its privacy page says. This is the last e-mail to this address; its copy at the registry is deleted after {days} days.',
    ],
  },
  thisAddressAlreadyBelongsLogin: {
    topic: 'login.links',
    subject: 'This address already belongs to a login',
    body: [
      'Someone tried to use this address for another login. It belongs to yours, so nothing changed and you don’t need to do anything.',
      'If it was you: this address can be used for one login only. Your user name there is {username}; log in at {appUrl}, or choose "Forgot password".',
    ],
  },
  confirmNewEMailAddress: {
    topic: 'login.links',
    subject: 'Confirm your new e-mail address',
    body: [
      'This address was entered as the new e-mail address of a login. Open this link within {confirmMinutes} minutes to confirm it:',
      '{link}',
      'Until then the login keeps its old address. If it wasn’t you, ignore this e-mail.',
    ],
  },
  newEMailAddressRequested: {
    topic: 'login.security',
    subject: 'New e-mail address requested',
    body: [
      'A change of your login’s e-mail address to {email} was requested. Nothing changes until that address is confirmed. You then get a link to undo it for {undoHours} hours.',
    ],
  },
  eMailAddressChangedBack: {
    topic: 'login.security',
    subject: 'Your e-mail address was changed back',
    body: [
      'The e-mail address of your login is {email} again, no longer {given}. All sessions were ended. If someone else changed it, choose a new password now with "Forgot password" on the log in page.',
    ],
  },
  confirmAddressNotifications: {
    topic: 'login.links',
    subject: 'Confirm an address for notifications',
    body: [
      '{fullName} wants e-mails about "{topic}" at this address. Open this link within {linkDays} days to agree:',
      '{link}',
      'If you don’t know {fullName}, ignore this e-mail.',
    ],
  },
  someNotificationsGoAnotherAddress: {
    topic: 'login.security',
    subject: 'Some notifications go to another address',
    body: ['E-mails about "{topic}" now go to {email}. You chose this in Personal settings, and the address was confirmed.'],
  },
  codesSwitchedOff: {
    topic: 'login.security',
    subject: 'Your {ways} were switched off',
    body: ['There were {maxWrongCodes} wrong {codes} in a row for your login, so your {ways} are no longer accepted. {reset}'],
  },
  recoveryCodeUsed: {
    topic: 'login.security',
    subject: 'A recovery code was used',
    body: [
      'One of your recovery codes was used to sign in. {left} {howMany} left. For {coolDownHours} hours your login can’t change registrations.',
    ],
    says: { howMany: 'is' },
  },
  factorAdded: {
    topic: 'login.security',
    subject: 'A{outcome} {what} was added',
    body: ['The {what} "{fullName}" was added to your login.{outcome2}{outcome3} All other sessions were ended.'],
    says: {
      outcome: 'n',
      outcome2: ' Your previous authenticator apps were removed.',
      outcome3: ' New recovery codes were created. The old ones no longer work.',
    },
  },
  factorRemoved: {
    topic: 'login.security',
    subject: 'A{outcome} {what} was removed',
    body: ['The {what} "{fullName}" was removed from your login.{outcome2} All other sessions were ended.'],
    says: {
      outcome: 'n',
      outcome2: ' It was the last one. Your login no longer has two-factor authentication and the recovery codes no longer work.',
    },
  },
  newRecoveryCodesWereMade: {
    topic: 'login.security',
    subject: 'New recovery codes were made',
    body: ['New recovery codes were created for your login. The old ones no longer work. All other sessions were ended.'],
  },
  loginFrozen: {
    topic: 'login.security',
    subject: 'Your login is frozen',
    body: [
      'The link in an e-mail to {mailedTo} was used to report a change that you didn’t make. All sessions were ended and your login can’t be used.',
    ],
  },
  colleagueFrozen: {
    topic: 'contacts.access',
    subject: 'The login of {fullName} was frozen ({accountName})',
    body: [
      'The link in an e-mail to {mailedTo} was used to report a change made with the login of {fullName}, a contact of {accountName}. The login can’t be used until {fullName} chooses a new password or registry staff unfreeze it.',
      'Check the account’s activity for other changes.',
    ],
  },
  colleagueUnfrozen: {
    topic: 'contacts.access',
    subject: 'The login of {fullName} is no longer frozen ({accountName})',
    body: ['{fullName} can log in again. The login can’t make changes for {coolDownHours} hours.'],
  },
  loginUnfrozen: {
    topic: 'login.security',
    subject: 'Your login is no longer frozen',
    body: ['Registry staff unfroze your login. It can’t make changes for {coolDownHours} hours.'],
  },
  passwordChanged: {
    topic: 'login.security',
    subject: 'Your password was {verb}',
    body: ['The password of your login was {verb}. All other sessions were ended.'],
  },
  passwordRemoved: {
    topic: 'login.security',
    subject: 'Your password was removed',
    body: ['Your login’s password was removed. You log in with a passkey. All other sessions were ended.'],
  },
  passwordMyReset: {
    topic: 'login.security',
    subject: 'Your password at My{product} was reset',
    body: [
      'A new password was chosen for your login with a link sent to you.{outcome} All sessions were ended. Two-factor settings stay the same. You can’t make changes for {coolDownHours} hours.',
    ],
    says: { outcome: ' It’s no longer frozen.' },
  },
  newDeviceSigned: {
    topic: 'login.security',
    subject: 'New device signed in',
    body: [
      'Your login was used from a device or network not seen for {sessionMemoryDays} days. If it was you, you don’t need to do anything.',
    ],
  },
  eMailAddressChanged: {
    topic: 'login.security',
    subject: 'Your e-mail address was changed',
    body: [
      'The e-mail address of your login was changed from {email} to {email2}. All other sessions were ended. You can’t make changes for {undoHours} hours.',
    ],
  },
  alreadyHaveLogin: {
    topic: 'login.links',
    subject: 'You already have a login at {product}',
    body: [
      'Someone tried to register at {product} with this address. It already belongs to your login, so nothing changed.',
      'User name: {username}\n{whoAsked}',
      'If it was you, log in: {appUrl}\nIf you forgot your password, choose a new one: {appUrl}/account/reset',
      'If it wasn’t you, ignore this e-mail.',
    ],
  },
  confirmRegistration: {
    topic: 'login.links',
    subject: 'Confirm your registration at {product}',
    body: [
      'Someone registered at {product} with this address. Open this page to confirm it:',
      '{link}',
      '{deadline} The login is created once you confirm.',
      '{whoAsked}',
      'If it wasn’t you, ignore this e-mail. No login is created.',
    ],
  },
  choosePassword: {
    topic: 'login.links',
    subject: 'Choose a new password for {product}',
    body: [
      'Someone asked to reset the password of your login {username} at {product}. Open this page to choose a new one:',
      '{link}',
      '{deadline} A new password ends all sessions. Two-factor settings stay the same.',
      '{whoAsked}',
      'If it wasn’t you, ignore this e-mail. Your password doesn’t change.',
    ],
  },
});
