export { notifyAboutChange, notifyCorporateContacts } from './contact-notices.ts';
export { endErasedContacts } from './erased-contacts.ts';
export { inviteFirstContact } from './invitations.ts';
export { contactsModule } from './module.ts';
export { contactQueue } from './registry-requests.ts';
export { listVoters, setVoter } from './voters.ts';
