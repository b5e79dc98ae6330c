export type { Attaches, AttachmentSource } from './attachment.ts';
export { type FreezeLink, freezeAddress, makeFreezeLink, readFreezeLink, takeFreezeLink } from './freeze-link.ts';
export { resealLinks, sendMail } from './mail.ts';
export { unreachable } from './mail-refusals.ts';
export { mailModule } from './module.ts';
export { type PersonOf, personOfModules } from './person.ts';
export { threadIn } from './reply-address.ts';
export { readUnsubscribeLink } from './unsubscribe-link.ts';
