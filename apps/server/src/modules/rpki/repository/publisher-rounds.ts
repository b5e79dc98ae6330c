/** Under this name the publisher notes its rounds, for other processes. */
export const publisherRounds = 'rpki.publish';
/** Noted beside the time: the tree that rsync serves; null before the first. */
export type PublisherNotes = { tree: { serial: number } | null };
