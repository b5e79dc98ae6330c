import type { ClassName } from '@portal/rpsl';

/**
 * An object as answers show it; `shown` is its key for people. `isPublic`: what nobody may see is not in the text any more. `named`: the contacts it
 * names, as `printNamed` writes them, where they are known without reading the text.
 */
export type Shown = { objectId: number; class: ClassName; key: string; shown: string; text: string; isPublic?: true; named?: string };
