export { attach, attachedTo, type AttachTo, attachmentsOf, detachOthers, attachToAccount } from './attachments.ts';
export { recordDocument } from './documents.ts';
export { fileAddress } from './file-address.ts';
export { type FileStore, fileStorage, openFileStore } from './file-store.ts';
export { backUpFiles, type KeptFiles, restoreFiles, verifyFiles } from './kept-files.ts';
export { openAttachment } from './opening.ts';
export { receiveFile } from './reception.ts';
export { sweepFiles } from './sweeping.ts';
export { documentsModule } from './module.ts';
