export { attach, attachedTo, type AttachTo, attachmentsOf, detachOthers, giveToAccount } from './attachments.ts';
export { certificatePages } from './certificate-page.ts';
export { recordDocument } from './documents.ts';
export { type FileStore, openFileStore } from './file-store.ts';
export { backUpFiles, restoreFiles, verifyFiles } from './kept-files.ts';
export { receiveFile } from './reception.ts';
export { documentRoutes } from './routes.ts';
export { scanFile } from './scanning.ts';
export { sweepFiles } from './sweeping.ts';
