export { requestContactChange } from './access-requests.ts';
export { notifyAboutChange } from './contact-notices.ts';
export { inviteFirstContact, type Mailing } from './invitations.ts';
export { contactQueue } from './registry-requests.ts';
export { askForPermission } from './permission-requests.ts';
export { listVoters, setVoter } from './voters.ts';
export { contactsModule } from './module.ts';
