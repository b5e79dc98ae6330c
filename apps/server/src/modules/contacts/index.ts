export { requestContactChange } from './access-requests.ts';
export { notifyAboutChange, notifyCorporateContacts } from './contact-notices.ts';
export { inviteFirstContact, type Mailing } from './invitations.ts';
export { contactsModule } from './module.ts';
export { askForPermission } from './permission-requests.ts';
export { contactQueue } from './registry-requests.ts';
export { listVoters, setVoter } from './voters.ts';
