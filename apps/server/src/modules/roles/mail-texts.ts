import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const rolesTexts = mailTexts('roles', {
  staffInvitation: {
    topic: 'login.links',
    subject: 'Invitation to the staff of {registryName}',
    body: [
      '{actor} invites you to My{product} as registry staff, with the role {role}.',
      '{lines}',
      'Open this link and log in with the login that has this address to accept:\n{link}',
      'The link works once. If you don’t know what this is about, ignore this e-mail: nothing happens then.',
    ],
  },
  newColleagueInvitation: {
    topic: 'login.links',
    subject: 'Invitation to the staff of {registryName}',
    body: [
      '{actor} invites you to My{product} as registry staff, with the role {role}.',
      '{lines}',
      'Open this link to choose a password. Then sign in and add a second factor, which the desk requires:\n{link}',
      'The link works once. If you don’t know what this is about, ignore this e-mail.',
    ],
  },
  tookOver: {
    topic: 'staff.cases',
    subject: '{name}: {actor} took it over',
    body: ['You had it until now. {actor} goes on with it; nothing is left for you to do.'],
  },
  roleGivenToYou: {
    topic: 'login.security',
    subject: 'You have the role {role}',
    body: ['{actor} gave you the role {role}.', '{roleFacts}', 'Reason: {reason}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  roleGiven: {
    topic: 'login.security',
    subject: '{fullName} has the role {role}',
    body: ['{actor} gave {fullName} ({email}) the role {role}.', '{roleFacts}', 'Reason: {reason}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  roleWithdrawnFromYou: {
    topic: 'login.security',
    subject: 'The role {role} was withdrawn from you',
    body: ['{actor} withdrew your role {role}.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  roleWithdrawn: {
    topic: 'login.security',
    subject: 'The role {role} was withdrawn from {fullName}',
    body: ['{actor} withdrew the role {role} from {fullName} ({email}).', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  groupsChangedYourRoles: {
    topic: 'login.security',
    subject: 'Your roles changed with your groups',
    body: ['The groups of the identity provider changed:', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  groupsChangedRoles: {
    topic: 'login.security',
    subject: 'Groups changed the roles of {fullName}',
    body: ['The groups of the identity provider changed:', '{roleFacts}', '{noRoleLeft}'],
    says: {
      roleFacts: 'Permissions: support operations.',
      noRoleLeft:
        'Tess Lindqvist (tess@example.net) has no role left. End the access on the page of staff, which hands open cases to a colleague.',
    },
  },
  youAreStaff: {
    topic: 'login.security',
    subject: 'You are registry staff with the role {role}',
    body: ['You accepted the invitation of {inviter}.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  invitationAccepted: {
    topic: 'login.security',
    subject: '{fullName} is registry staff with the role {role}',
    body: ['{fullName} ({email}) accepted the invitation of {inviter}.', '{roleFacts}', 'Reason: {reason}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  colleagueInvited: {
    topic: 'login.security',
    subject: '{fullName} is invited to registry staff with the role {role}',
    body: [
      '{actor} invited {fullName} ({email}) with the role {role}. It counts once the person accepts.',
      '{roleFacts}',
      'Reason: {reason}',
    ],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  colleagueAdded: {
    topic: 'login.security',
    subject: '{fullName} is registry staff with the role {role}',
    body: ['{actor} invited {fullName} ({email}) with the role {role}.', '{roleFacts}', 'Reason: {reason}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  caseOfLeaverYours: {
    topic: 'login.security',
    subject: 'A case of {fullName} is yours',
    body: ['{fullName} leaves registry staff. {actor} handed you their open case.'],
  },
  casesOfLeaverYours: {
    topic: 'login.security',
    subject: '{count} cases of {fullName} are yours',
    body: ['{fullName} leaves registry staff. {actor} handed you their {count} open cases.'],
  },
  accessEnded: {
    topic: 'login.security',
    subject: 'Your access as registry staff ended',
    body: ['{actor} ended your access.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  colleagueLeft: {
    topic: 'login.security',
    subject: '{fullName} is no longer registry staff',
    body: ['{actor} ended the access of {fullName} ({email}).', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  operatorDisabledLogin: {
    topic: 'login.security',
    subject: 'The operator disabled the login of {fullName}',
    body: ['The login of {fullName} ({email}) was disabled on the command line, and its roles were withdrawn.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  roleAdded: {
    topic: 'login.security',
    subject: 'There is a new role {role}',
    body: ['{actor} added the role {role}. No one holds it yet.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
  roleDeleted: {
    topic: 'login.security',
    subject: 'The role {role} was deleted',
    body: ['{actor} deleted the role {role}, which no one held.', '{roleFacts}'],
    says: { roleFacts: 'Permissions: support operations.' },
  },
});
