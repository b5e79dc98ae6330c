export { type FreezeLink, freezeAddress, makeFreezeLink, readFreezeLink, takeFreezeLink } from './freeze-link.ts';
export { letterheadOf } from './letterhead.ts';
export { contactTypesOf, forgetLinks, resealLinks, sendMail } from './mail.ts';
export { unreachable } from './mail-refusals.ts';
export { readUnsubscribeLink } from './unsubscribe-link.ts';
export { mailModule } from './module.ts';
