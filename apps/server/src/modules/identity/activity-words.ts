import type { frozenLogins } from '@portal/contract/identity/frozen-logins';
import type { notificationAddresses } from '@portal/contract/identity/notification-addresses';
import type { people } from '@portal/contract/identity/people';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const identityWords = {
  activities: {
    'identity.people': { category: 'sign-in', actions: { savePreferences: 'Change personal settings' } },
    identity: {
      category: 'sign-in',
      actions: {
        freezeLogin: 'Freeze a login by the link in an e-mail',
        changeNames: 'Change names',
        endSession: 'End a session',
        endOtherSessions: 'End all other sessions',
        endOtherSystem: 'End the access of another system',
        switchCodesOff: 'Switch off codes after failed attempts',
        mintToken: 'Make a token for a demo person',
        askForEmailChange: 'Request a new e-mail address',
        changeEmail: 'Change the e-mail address',
        undoEmailChange: 'Undo a change of the e-mail address',
        addPasskey: 'Add a passkey',
        addAuthenticator: 'Add an authenticator app',
        renameFactor: 'Rename a second factor',
        removePasskey: 'Remove a passkey',
        removeAuthenticator: 'Remove an authenticator app',
        replaceRecoveryCodes: 'Create new recovery codes',
        useRecoveryCode: 'Use a recovery code',
        firstSight: 'Add a person of the OpenID provider',
        profileChanged: 'Update a person from the OpenID provider',
        applyGroups: 'Apply the groups of the OpenID provider',
        requestDataCopy: 'Request a copy of personal data',
        makeDataCopy: 'Make a copy of personal data',
        downloadDataCopy: 'Download a copy of personal data',
        deleteDataCopies: 'Delete expired copies of personal data',
        requestErasure: 'Request to erase personal data',
        withdrawErasure: 'Take back a request to erase personal data',
        forgetSessions: 'Forget old sessions',
        deleteExpiredLinks: 'Forget expired links',
        confirm: 'Confirm a change with a second factor',
        signIn: 'Sign in',
        signInFailed: 'Failed sign-in',
        signOut: 'Log out',
        codeReused: 'End a session whose code was used twice',
        changePassword: 'Change the password',
        setPassword: 'Set a password',
        removePassword: 'Remove the password',
        askForNewPassword: 'Request a new password',
        resetPassword: 'Choose a new password',
        askForRegistration: 'Register',
        register: 'Register',
        rehash: 'Store the password with a stronger hash',
        createKeys: 'Create the keys that sign tokens',
        rotateKeys: 'Replace the keys that sign tokens',
        mailEmailChange: 'Mail about a change of the e-mail address',
        mailPasswordReset: 'Mail about a new password',
        mailRegistration: 'Mail about a registration',
        notifyOtherSystem: 'Notify another system of an ended session',
      },
    },
    'identity.notificationAddresses': {
      category: 'system',
      unlisted: true,
      actions: { setNotificationAddress: 'Choose the address for a topic' },
    },
    'identity.frozenLogins': { category: 'sign-in', actions: { unfreezeLogin: 'Unfreeze a login' } },
  },
  unshown: {
    data_copy: 'a person’s',
    erasure: 'a person’s',
    login: 'a person’s, not an account’s',
    login_subject: 'a person’s',
    login_password: 'a person’s',
    login_totp: 'a person’s',
    login_passkey: 'a person’s',
    login_recovery_code: 'a person’s',
    signing_key: 'the registry’s',
  },
} satisfies ModuleWords<{
  'identity.people': typeof people;
  'identity.notificationAddresses': typeof notificationAddresses;
  'identity.frozenLogins': typeof frozenLogins;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    identity: typeof identityWords;
  }
}
