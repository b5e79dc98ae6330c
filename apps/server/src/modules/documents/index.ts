export { attach, type AttachTo, attachmentsOf, detachOthers, giveToAccount } from './attachments.ts';
