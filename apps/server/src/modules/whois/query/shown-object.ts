import type { ClassName } from '@portal/rpsl';

/**
 * An object as answers show it; `shown` is its display key. `isPublic`: non-public data have been removed from the text. `named`: the contacts it
 * names, as `printNamed` writes them, if known without reading the text.
 */
export type Shown = { objectId: number; class: ClassName; key: string; shown: string; text: string; isPublic?: true; named?: string };

/** A contact of an object, or its name if it is too long to be in answers about others. */
export type Contact = Shown | { tooLong: string };
