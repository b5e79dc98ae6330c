/** A file that a tree was made without, because the file system doesn't take it. */
export type LeftOutFile = { accountName: string; uri: string; problem: string };

/** Name under which the publisher records its rounds, for other processes. */
export const publisherRounds = 'rpki.publish';
/** Recorded with the time: the tree that rsync serves and the first members' files missing in it; null before the first tree. */
export type PublisherNotes = { tree: { serial: number; leftOut: LeftOutFile[] } | null };
/** Maximum number of recorded files. */
export const NOTED_FILES = 100;
