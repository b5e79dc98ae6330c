import { linkToAccount } from './modules/contacts/index.ts';
import { scanFile } from './modules/documents/index.ts';
import { mailEmailChange, mailPasswordReset, mailRegistration, tellOtherSystem } from './modules/identity/index.ts';
import { deliverMail } from './modules/mail/index.ts';
import { echo, modifyAlike, modifyObjects } from './modules/whois/index.ts';
import type { AnyTaskType } from './platform/tasks.ts';

/** Every kind of background work. */
export const taskTypes: readonly AnyTaskType[] = [
  deliverMail,
  mailEmailChange,
  mailRegistration,
  mailPasswordReset,
  tellOtherSystem,
  linkToAccount,
  scanFile,
  modifyObjects,
  modifyAlike,
  echo,
];
