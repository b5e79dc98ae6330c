export { type FreezeLink, freezeAddress, makeFreezeLink, readFreezeLink, takeFreezeLink } from './freeze-link.ts';
export { resealLinks, sendMail } from './mail.ts';
export { unreachable } from './mail-refusals.ts';
export { type PersonOf, personOfModules } from './person.ts';
export { readUnsubscribeLink } from './unsubscribe-link.ts';
export { mailModule } from './module.ts';
