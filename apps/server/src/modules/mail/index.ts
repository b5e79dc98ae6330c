export { type FreezeLink, freezeAddress, makeFreezeLink, readFreezeLink, takeFreezeLink } from './freeze-link.ts';
export { contactTypesOf, resealLinks, sendMail } from './mail.ts';
export { unreachable } from './mail-refusals.ts';
export { readUnsubscribeLink } from './unsubscribe-link.ts';
export { mailModule } from './module.ts';
