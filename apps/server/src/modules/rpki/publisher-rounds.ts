/** A file that a tree was made without, because the file system doesn't take it. */
export type LeftOutFile = { accountName: string; uri: string; problem: string };

/** Under this name the publisher notes its rounds, for other processes. */
export const publisherRounds = 'rpki.publish';
/** Noted beside the time: the tree that rsync serves and files of members that it lacks, the first of many; null before the first tree. */
export type PublisherNotes = { tree: { serial: number; leftOut: LeftOutFile[] } | null };
/** Files that are noted so. */
export const NOTED_FILES = 100;
